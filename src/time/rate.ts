import { refuse } from "./refuse.js";

/** Steps a second: a number of hertz, or an exact fraction of whole numbers such as `[60000, 1001]`. */
export type Rate = number | ExactRate;

/** A fraction in hertz. */
export type ExactRate = readonly [numerator: number, denominator: number];

export const SECOND = 1e9;

/** How near a fraction must come to a rate that was given as a number, in hertz. */
const TOLERANCE = 1e-12;

/**
 * Time is counted in units of 1 / numerator nanoseconds. Two steps and a tenth of a second must stay
 * below 2^53 of them: then sums are exact, and longer times can be taken in pieces.
 */
const fits = (numerator: number, denominator: number) =>
  (SECOND / 10) * numerator + 2 * SECOND * denominator <= Number.MAX_SAFE_INTEGER;

/** Reads a rate as the simplest fraction that holds it, in lowest terms, or refuses it with the reason. */
export function exactRate(call: string, rate: Rate): ExactRate {
  const isFraction = Array.isArray(rate);
  const [numerator, denominator, ...more] = (isFraction ? rate : [rate, 1]) as [number, number];
  const isRight = (part: number) =>
    typeof part === "number" && part > 0 && (isFraction ? Number.isSafeInteger(part) : part < Infinity);
  if (!isRight(numerator) || !isRight(denominator) || more.length)
    refuse(
      `${call}: rate`,
      "a positive finite number of hertz, or two positive whole numbers",
      rate,
      "60 or [60000, 1001]",
    );
  if (isFraction) {
    const divisor = gcd(numerator, denominator);
    if (fits(numerator / divisor, denominator / divisor)) return [numerator / divisor, denominator / divisor];
  } else {
    // The whole part stays out of the products, so that only the fraction's rounding is left.
    const whole = Math.floor(numerator);
    const part = numerator - whole;
    for (let below = 1; fits(whole * below, below); below++) {
      const rest = Math.round(part * below);
      const above = whole * below + rest;
      if (above > 0 && Math.abs(rest - part * below) <= TOLERANCE * below && fits(above, below))
        return [above, below];
    }
  }
  return refuse(`${call}: rate`, "a fraction a / b with a / 20 + b under 4503599, to stay exact", rate, "60");
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
