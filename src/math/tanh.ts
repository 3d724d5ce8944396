import { powerOfTwo } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { expm1Low } from "./expm1-low.js";
import { LOW, quotient, sum } from "./pair.js";

/** Returns the hyperbolic tangent: (e^2x - 1) / (e^2x + 1), both as pairs. Error below 0.83 ulp. */
export function tanh(x: number): number {
  const a = Math.abs(x);
  // Tiny arguments, and -0, are their own result.
  if (a < 1e-8) return x;
  // Rounds to 1 from here on.
  if (!(a < 20)) return a > 1 ? (x < 0 ? -1 : 1) : x;
  const b = 2 * a;
  let high = b;
  let low = 0;
  if (b < 0.18) low = expm1Low(b);
  else {
    const n = sixteenths(b);
    const power = powerOfTwo(n >> 4);
    const e = expPair(b, n) * power;
    const rest = LOW[0]! * power;
    high = sum(e, -1);
    low = LOW[0]! + rest;
  }
  const nh = high + low;
  const nl = high - nh + low;
  const dh = sum(2, nh);
  const value = quotient(nh, nl, dh, LOW[0]! + nl) + LOW[0]!;
  return x < 0 ? -value : value;
}
