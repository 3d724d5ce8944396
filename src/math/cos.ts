import { reduce } from "./reduce.js";
import { cosineLow, sineOf } from "./sine.js";

/** The cosine of an angle in radians. Errs by less than 0.94 ulp. */
export function cos(x: number): number {
  // Up to π / 4, nearly, there is nothing to take away.
  if (Math.abs(x) < 0.785) return 1 - 0.5 * (x * x) + cosineLow(x, 0);
  return sineOf(reduce(x) + 1);
}
