import { log } from "./log.js";
import { log1pPair } from "./log1p-pair.js";

/** The natural logarithm of 1 + x, near zero too. Errs by less than 1.00 ulp. */
export function log1p(x: number): number {
  // -0 stays what it is.
  if (Math.abs(x) < 1e-17) return x;
  // From 1e18 on the 1 is nothing beside x.
  if (x > -1 && x < 1e18) return log1pPair(x, 0);
  return x === -1 ? -Infinity : log(x);
}
