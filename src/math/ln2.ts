// ln 2 in two parts: 33 bits, so that multiples up to 2^20 are exact, and the rest.
export const LN2_HIGH = 0.6931471804855391;
export const LN2_REST = 7.440617110012397e-11;
