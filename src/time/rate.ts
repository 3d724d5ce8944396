import { badValue } from "../errors/index.js";
import { SECOND, TOLERANCE } from "./units.js";

/** Steps a second: a number of hertz, or an exact fraction of whole numbers such as `[60000, 1001]`. */
export type Rate = number | ExactRate;

/** A fraction in hertz. */
export type ExactRate = readonly [numerator: number, denominator: number];

/**
 * Time is counted in units of 1 / numerator nanoseconds. Two steps and a tenth of a second must stay
 * below 2^53 of them: then sums are exact, and longer times can be taken in pieces.
 */
const fits = (numerator: number, denominator: number) =>
  (SECOND / 10) * numerator + 2 * SECOND * denominator <= Number.MAX_SAFE_INTEGER;

/** Reads a rate as the simplest fraction that holds it, in lowest terms, or refuses it with the reason. */
export function exactRate(subject: string, rate: Rate, cure = "60 or [60000, 1001]"): ExactRate {
  if (Array.isArray(rate)) {
    const [above, below, ...more] = rate as unknown as ExactRate;
    if (isPositive(above) && isPositive(below) && !more.length) {
      const divisor = gcd(above, below);
      if (fits(above / divisor, below / divisor)) return [above / divisor, below / divisor];
    }
  } else if (typeof rate === "number" && rate > 0) {
    // The whole part stays out of the products, so that only the fraction's rounding is left.
    const whole = Math.floor(rate);
    const part = rate - whole;
    for (let below = 1; fits(whole * below, below); below++) {
      const rest = Math.round(part * below);
      const above = whole * below + rest;
      if (above > 0 && Math.abs(rest - part * below) <= TOLERANCE * below && fits(above, below))
        return [above, below];
    }
  }
  return badValue(
    subject,
    "a positive number or [a, b], a fraction with a / 20 + b under 4503599",
    rate,
    cure,
  );
}

const isPositive = (part: number) => Number.isSafeInteger(part) && part > 0;

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
