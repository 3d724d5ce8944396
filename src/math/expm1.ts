import { powerOfTwo } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { exp } from "./exp.js";
import { expm1Low } from "./expm1-low.js";
import { LOW, sum } from "./pair.js";

/** e^x - 1, near zero too. Errs by less than 0.89 ulp. */
export function expm1(x: number): number {
  const a = Math.abs(x);
  if (a < 0.18) {
    // -0 stays what it is.
    return a < 1e-17 ? x : x + expm1Low(x);
  }
  // From here on the 1 is nothing beside e^x, or e^x beside the 1.
  if (!(x < 50)) return exp(x);
  if (x < -40) return -1;
  const n = sixteenths(x);
  const power = powerOfTwo(n >> 4);
  const high = expPair(x, n) * power;
  const low = LOW[0]! * power;
  const whole = sum(high, -1);
  return whole + (LOW[0]! + low);
}
