// e^x = 1 + x + x² P(x) for |x| ≤ 0.18, within 2^-57 of x: test/math/coefficients.sollya.
const E2 = 0.5;
const E3 = 0.1666666666666637;
const E4 = 4.1666666666666234e-2;
const E5 = 8.333333334079844e-3;
const E6 = 1.3888888889778321e-3;
const E7 = 1.9841263639890173e-4;
const E8 = 2.4801580927642872e-5;
const E9 = 2.7578331547831627e-6;
const E10 = 2.7576553598391426e-7;

/** e^x - 1 - x, for |x| ≤ 0.18. */
export function expm1Low(x: number): number {
  const z = x * x;
  const w = z * z;
  const low = E2 + x * E3 + z * (E4 + x * E5);
  const high = E6 + x * E7 + z * (E8 + x * E9) + w * E10;
  return z * (low + w * high);
}
