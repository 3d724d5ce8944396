import { scale } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { LOW } from "./pair.js";

/** Returns e^x. Error below 0.79 ulp; below 0.58 for normal results. */
export function exp(x: number): number {
  // Overflows above; below, it is less than half of the smallest double.
  if (!(x < 709.79 && x > -745.14)) return x < 0 ? 0 : x > 0 ? Infinity : x;
  const n = sixteenths(x);
  return scale(expPair(x, n) + LOW[0]!, n >> 4);
}
