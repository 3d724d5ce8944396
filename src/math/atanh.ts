import { log1pPair } from "./log1p-pair.js";
import { LOW, quotient, sum, tidy } from "./pair.js";

/** Returns the inverse hyperbolic tangent, for x from -1 to 1: log(1 + 2x / (1 - x)) / 2. Error below 0.96 ulp. */
export function atanh(x: number): number {
  const a = Math.abs(x);
  // Tiny arguments, and -0, are their own result.
  if (a < 1e-8) return x;
  if (!(a < 1)) return a === 1 ? x * Infinity : NaN;
  const d = sum(1, -a);
  const q = tidy(quotient(2 * a, 0, d, LOW[0]!));
  const value = 0.5 * log1pPair(q, LOW[0]!);
  return x < 0 ? -value : value;
}
