import { scale } from "./bits.js";
import { expPair, sixteenths } from "./exp-pair.js";
import { LOW } from "./pair.js";

// sinh(x) = x + x³ P(x²) for |x| ≤ 1, within 2^-62 of it: test/math/coefficients.sollya.
const P0 = 0.16666666666666666;
const P1 = 8.333333333333519e-3;
const P2 = 1.9841269841133327e-4;
const P3 = 2.7557319273814478e-6;
const P4 = 2.5052098381043204e-8;
const P5 = 1.6060169196842862e-10;
const P6 = 7.580563727552145e-13;
const P7 = 4.436559066356903e-15;

/** Returns the hyperbolic sine. Error below 1.00 ulp. */
export function sinh(x: number): number {
  const a = Math.abs(x);
  if (a < 1) {
    // Keeps -0.
    if (a < 1e-8) return x;
    const z = x * x;
    const w = z * z;
    const low = P0 + z * P1 + w * (P2 + z * P3);
    const high = P4 + z * P5 + w * (P6 + z * P7);
    return x + x * z * (low + w * w * high);
  }
  // Overflows from here on.
  if (!(a < 710.5)) return x * Infinity;
  const n = sixteenths(a);
  const k = n >> 4;
  const e = expPair(a, n);
  let low = LOW[0]!;
  // e^-x, which is negligible from 40 on.
  if (a < 40) low -= scale(1 / (e + low), -2 * k);
  const value = scale(e + low, k - 1);
  return x < 0 ? -value : value;
}
