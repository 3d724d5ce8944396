import { powerOfTwo } from "./bits.js";
import { exponentOf } from "./exponent.js";
import { LN2_HIGH, LN2_REST } from "./ln2.js";
import { logLow } from "./log-low.js";

/** log(1 + h + l), where l is much smaller than h; for h from -1 to 1e300. */
export function log1pPair(h: number, l: number): number {
  let f = h;
  let rest = l;
  let k = 0;
  // Between about √½ - 1 and √2 - 1, there is no power of two to factor out.
  if (!(h < 0.41 && h > -0.29)) {
    const whole = 1 + h;
    k = exponentOf(whole);
    const power = powerOfTwo(-k);
    f = whole * power - 1;
    // The rounding error of the sum, whichever part is larger.
    rest = (h - (whole - 1) + (1 - (whole - (whole - 1))) + l) * power;
  }
  const half = 0.5 * f * f;
  // Approximates rest / (1 + f), which is less than an ulp.
  const low = logLow(f, half) + rest * (1 - f * (1 - f * (1 - f))) + k * LN2_REST;
  const big = k * LN2_HIGH;
  const high = big + f;
  return high + (big - high + f - (half - low));
}
