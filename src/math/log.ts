import { LEAST_NORMAL, powerOfTwo } from "./bits.js";
import { exponentOf } from "./exponent.js";
import { LN2_HIGH, LN2_REST } from "./ln2.js";
import { logLow } from "./log-low.js";

/** Returns the natural logarithm. Error below 0.92 ulp. */
export function log(x: number): number {
  if (x >= LEAST_NORMAL && x < 1e300) return logTimes(x, 0);
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  // Scaling by 2^54 makes it normal; by 2^-64, small enough for powerOfTwo.
  return x < 1 ? logTimes(x * 18014398509481984, -54) : logTimes(x * 5.421010862427522e-20, 64);
}

/** log(x × 2^more). */
export function logTimes(x: number, more: number): number {
  const e = exponentOf(x);
  const f = x * powerOfTwo(-e) - 1;
  const half = 0.5 * f * f;
  const low = logLow(f, half);
  const k = e + more;
  if (k === 0) return f - (half - low);
  const whole = k * LN2_HIGH;
  const high = whole + f;
  return high + (whole - high + f - (half - (low + k * LN2_REST)));
}
