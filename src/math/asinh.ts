import { log1pPair } from "./log1p-pair.js";
import { logTimes } from "./log.js";
import { LOW, root, squareLow, sum } from "./pair.js";

/** Returns the inverse hyperbolic sine: log(1 + x + (√(1 + x²) - 1)). Error below 0.99 ulp. */
export function asinh(x: number): number {
  const a = Math.abs(x);
  // Tiny arguments, -0, infinities and NaN are their own result.
  if (a < 1e-8 || !(a < Infinity)) return x;
  let value = 0;
  // log(2a): the 1 is negligible. From 1e300 on, scaled by 2^-64 as in log.ts.
  if (a > 1e9) value = a < 1e300 ? logTimes(a, 1) : logTimes(a * 5.421010862427522e-20, 65);
  else {
    const square = a * a;
    const low = squareLow(a, square);
    const h = sum(1, square);
    const s = root(h, LOW[0]! + low);
    const d = s - 1;
    const u = a + d;
    value = log1pPair(u, a - u + d + LOW[0]!);
  }
  return x < 0 ? -value : value;
}
