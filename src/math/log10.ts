import { LEAST_NORMAL, powerOfTwo } from "./bits.js";
import { exponentOf } from "./exponent.js";
import { logLow } from "./log-low.js";

// 1 / ln 10 in two parts: 29 bits, so that its product with a single is exact, and the rest.
const PER_LN10 = 0.43429448176175356;
const PER_LN10_REST = 1.414982685385801e-10;
// log10(2) in two parts: 40 bits, so that its multiples are exact, and the rest.
const LOG10_2 = 0.30102999566361177;
const LOG10_2_REST = 3.694239077158931e-13;

/** Returns the logarithm to base 10, exact for powers of ten. Error below 0.89 ulp. */
export function log10(x: number): number {
  if (x >= LEAST_NORMAL && x < 1e300) return log10Times(x, 0);
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  // Scaling by 2^54 makes it normal; by 2^-64, small enough for powerOfTwo.
  return x < 1 ? log10Times(x * 18014398509481984, -54) : log10Times(x * 5.421010862427522e-20, 64);
}

/** log10(x × 2^more). */
function log10Times(x: number, more: number): number {
  const e = exponentOf(x);
  const f = x * powerOfTwo(-e) - 1;
  const half = 0.5 * f * f;
  const high = Math.fround(f - half);
  const low = f - high - half + logLow(f, half);
  const k = e + more;
  const h = high * PER_LN10;
  const l = (low + high) * PER_LN10_REST + low * PER_LN10 + k * LOG10_2_REST;
  const tens = k * LOG10_2;
  const whole = tens + h;
  return whole + (tens - whole + h + l);
}
