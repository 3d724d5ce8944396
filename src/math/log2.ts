import { LEAST_NORMAL, powerOfTwo } from "./bits.js";
import { exponentOf } from "./exponent.js";
import { logLow } from "./log-low.js";

// 1 / ln 2 in two parts: 29 bits, so that its product with a single is exact, and the rest.
const PER_LN2 = 1.442695040255785;
const PER_LN2_REST = 6.331784189566044e-10;

/** Returns the logarithm to base 2, exact for powers of two. Error below 0.99 ulp. */
export function log2(x: number): number {
  if (x >= LEAST_NORMAL && x < 1e300) return log2Times(x, 0);
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  // Scaling by 2^54 makes it normal; by 2^-64, small enough for powerOfTwo.
  return x < 1 ? log2Times(x * 18014398509481984, -54) : log2Times(x * 5.421010862427522e-20, 64);
}

/** log2(x × 2^more). */
function log2Times(x: number, more: number): number {
  const e = exponentOf(x);
  const f = x * powerOfTwo(-e) - 1;
  const half = 0.5 * f * f;
  const high = Math.fround(f - half);
  const low = f - high - half + logLow(f, half);
  const k = e + more;
  const h = high * PER_LN2;
  const l = (low + high) * PER_LN2_REST + low * PER_LN2;
  const whole = k + h;
  return whole + (k - whole + h + l);
}
