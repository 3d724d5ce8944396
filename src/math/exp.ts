import { scale } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { LOW } from "./pair.js";

/** e^x. Errs by less than 0.79 ulp; where the result is a normal number, by less than 0.58. */
export function exp(x: number): number {
  // Beyond these it overflows, or is less than half of the least double.
  if (!(x < 709.79 && x > -745.14)) return x < 0 ? 0 : x > 0 ? Infinity : x;
  const n = sixteenths(x);
  return scale(expPair(x, n) + LOW[0]!, n >> 4);
}
