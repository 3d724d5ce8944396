import { log } from "./log.js";
import { log1pPair } from "./log1p-pair.js";

/** Returns the natural logarithm of 1 + x, accurate near zero. Error below 1.00 ulp. */
export function log1p(x: number): number {
  // Keeps -0.
  if (Math.abs(x) < 1e-17) return x;
  // From 1e18 on, the 1 is negligible.
  if (x > -1 && x < 1e18) return log1pPair(x, 0);
  return x === -1 ? -Infinity : log(x);
}
