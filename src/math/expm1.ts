import { powerOfTwo } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { exp } from "./exp.js";
import { expm1Low } from "./expm1-low.js";
import { LOW, sum } from "./pair.js";

/** Returns e^x - 1, accurate near zero. Error below 0.89 ulp. */
export function expm1(x: number): number {
  const a = Math.abs(x);
  if (a < 0.18) {
    // Keeps -0.
    return a < 1e-17 ? x : x + expm1Low(x);
  }
  // From here on, either the 1 or e^x is negligible.
  if (!(x < 50)) return exp(x);
  if (x < -40) return -1;
  const n = sixteenths(x);
  const power = powerOfTwo(n >> 4);
  const high = expPair(x, n) * power;
  const low = LOW[0]! * power;
  const whole = sum(high, -1);
  return whole + (LOW[0]! + low);
}
