import { log1pPair } from "./log1p-pair.js";
import { logTimes } from "./log.js";
import { LOW, root, squareLow } from "./pair.js";

/** Returns the inverse hyperbolic cosine, for x ≥ 1: log(1 + (x - 1) + √(x² - 1)). Error below 0.97 ulp. */
export function acosh(x: number): number {
  if (!(x > 1)) return x === 1 ? 0 : NaN;
  // log(2x): the 1 is negligible. From 1e300 on, scaled by 2^-64 as in log.ts.
  if (x > 1e9) {
    if (x === Infinity) return x;
    return x < 1e300 ? logTimes(x, 1) : logTimes(x * 5.421010862427522e-20, 65);
  }
  const square = x * x;
  const whole = square - 1;
  const rest = square - whole - 1 + squareLow(x, square);
  const h = whole + rest;
  const s = root(h, whole - h + rest);
  const d = x - 1;
  const u = s + d;
  return log1pPair(u, s - u + d + LOW[0]!);
}
