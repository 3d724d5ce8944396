import { scale } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { LOW } from "./pair.js";

/** Returns the hyperbolic cosine. Error below 0.91 ulp. */
export function cosh(x: number): number {
  const a = Math.abs(x);
  // Overflows from here on.
  if (!(a < 710.5)) return a * Infinity;
  const n = sixteenths(a);
  const k = n >> 4;
  const e = expPair(a, n);
  const low = LOW[0]!;
  // e^-x, which is negligible from 40 on.
  if (!(a < 40)) return scale(e + low, k - 1);
  const inverse = scale(1 / (e + low), -2 * k);
  const sum = e + inverse;
  return scale(sum + (e - sum + inverse + low), k - 1);
}
