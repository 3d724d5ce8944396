import { reduce } from "./reduce.js";
import { sineLow, sineOf } from "./sine.js";

/** The sine of an angle in radians. Errs by less than 0.94 ulp. */
export function sin(x: number): number {
  const a = Math.abs(x);
  // Up to π / 4, nearly, there is nothing to take away.
  if (!(a < 0.785)) return sineOf(reduce(x));
  // So small, it is its own sine; and so is -0.
  return a < 2e-8 ? x : x + sineLow(x, 0);
}
