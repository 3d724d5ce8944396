// asin(x) = x + x³ P(x²) for |x| ≤ 1 / 2, within 2^-59 of x: test/math/coefficients.sollya.
const P0 = 0.1666666666666676;
const P1 = 7.499999999970867e-2;
const P2 = 4.464285717455937e-2;
const P3 = 3.038194270993964e-2;
const P4 = 2.2372214933961018e-2;
const P5 = 1.7351612884649172e-2;
const P6 = 1.3980810970570011e-2;
const P7 = 1.1398984899684095e-2;
const P8 = 1.077987180695415e-2;
const P9 = 3.707763803502037e-3;
const P10 = 2.1704324805356688e-2;
const P11 = -2.0994857763657213e-2;
const P12 = 3.26261109961928e-2;

/** asin(x) / x - 1, for z = x² up to 1 / 4. */
export function asinLow(z: number): number {
  const w = z * z;
  const u = w * w;
  const low = P0 + z * P1 + w * (P2 + z * P3);
  const middle = P4 + z * P5 + w * (P6 + z * P7);
  const high = P8 + z * P9 + w * (P10 + z * P11 + w * P12);
  return z * (low + u * (middle + u * high));
}
