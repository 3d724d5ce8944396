import { LOW, quotient } from "./pair.js";
import { reduce, REST } from "./reduce.js";

const FOUR_OVER_PI = 1.2732395447351628;
/** Adding and subtracting it rounds to a whole number. */
const ROUNDER = 6755399441055744;
const QUARTER_PI = 0.7853981633974483;
const QUARTER_PI_LOW = 3.061616997868383e-17;
// tan(x) = x + x³ P(x²) for |x| ≤ 0.3928, within 2^-58 of it: test/math/coefficients.sollya.
const P0 = 0.33333333333333504;
const P1 = 0.13333333333289146;
const P2 = 5.396825400768947e-2;
const P3 = 2.1869486813744836e-2;
const P4 = 8.863277983392542e-3;
const P5 = 3.591498371511381e-3;
const P6 = 1.4615523971831825e-3;
const P7 = 5.591145066937786e-4;
const P8 = 3.2874038711393937e-4;
// p for the eighths of a turn 0 to 3, then q.
const EIGHTHS = /* @__PURE__ */ new Float64Array([0, 1, -1, -1, 1, 1, 0, 1]);

/**
 * Returns the tangent of an angle in radians. Error below 0.85 ulp. Eighths of a turn are subtracted until at most π /
 * 8 remains. There, the tangent differs from the angle by at most 5 %, so rounding this difference costs little. With T
 * the tangent of the rest, the result is (p + q T) / (q - p T).
 */
export function tan(x: number): number {
  // Tiny angles, and -0, are their own tangent.
  if (Math.abs(x) < 1e-8) return x;
  const n = reduce(x);
  const r = REST[0]!;
  const k = r * FOUR_OVER_PI + ROUNDER - ROUNDER;
  const h = r - k * QUARTER_PI;
  const l = REST[1]! - k * QUARTER_PI_LOW;
  const z = h * h;
  const w = z * z;
  const poly = P0 + z * P1 + w * (P2 + z * P3) + w * w * (P4 + z * P5 + w * (P6 + z * P7 + w * P8));
  const low = l + z * (l + h * poly);
  const th = h + low;
  const tl = h - th + low;
  const eighths = (n + n + k) & 3;
  const p = EIGHTHS[eighths]!;
  const q = EIGHTHS[eighths + 4]!;
  // p and q are 0 or ±1: all products are exact.
  const qt = q * th;
  const pt = p * th;
  const nh = p + qt;
  const dh = q - pt;
  return quotient(nh, p - nh + qt + q * tl, dh, q - dh - pt - p * tl) + LOW[0]!;
}
