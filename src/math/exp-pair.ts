import { powerTimesExp } from "./powers.js";

const SIXTEEN_OVER_LN2 = 23.083120654223414;
/** Adding and subtracting it rounds to a whole number. */
export const ROUNDER = 6755399441055744;
// ln 2 / 16 in two parts: 38 bits, so that multiples up to 2^15 are exact, and the rest.
const LN2_16 = 0.04332169878489367;
const LN2_16_REST = 1.0291218489310676e-13;

/** The exponent of exp(x), in sixteenths of a power of two. */
export function sixteenths(x: number): number {
  return x * SIXTEEN_OVER_LN2 + ROUNDER - ROUNDER;
}

/** exp(x) × 2^-(n >> 4), for n = sixteenths(x), as a pair whose parts may overlap. For |x| < 1000. */
export function expPair(x: number, n: number): number {
  return powerTimesExp(n, x - n * LN2_16 - n * LN2_16_REST);
}
