import { reduce } from "./reduce.js";
import { sineLow, sineOf } from "./sine.js";

/** Returns the sine of an angle in radians. Error below 0.94 ulp. */
export function sin(x: number): number {
  const a = Math.abs(x);
  // Up to nearly π / 4, no reduction is needed.
  if (!(a < 0.785)) return sineOf(reduce(x));
  // Tiny angles, and -0, are their own sine.
  return a < 2e-8 ? x : x + sineLow(x, 0);
}
