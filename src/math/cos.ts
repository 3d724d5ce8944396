import { reduce } from "./reduce.js";
import { cosineLow, sineOf } from "./sine.js";

/** Returns the cosine of an angle in radians. Error below 0.94 ulp. */
export function cos(x: number): number {
  // Up to nearly π / 4, no reduction is needed.
  if (Math.abs(x) < 0.785) return 1 - 0.5 * (x * x) + cosineLow(x, 0);
  return sineOf(reduce(x) + 1);
}
