import { badValue } from "../errors/index.js";
import { SECOND, TOLERANCE } from "./units.js";

/** A rate in hertz: a number, or an exact fraction of whole numbers such as `[60000, 1001]`. */
export type Rate = number | ExactRate;

/** A rate in hertz, as a fraction. */
export type ExactRate = readonly [numerator: number, denominator: number];

/**
 * Time is counted in units of 1 / numerator nanoseconds. Two steps plus a tenth of a second must stay below 2^53 units: then
 * sums are exact, and longer times can be added in pieces.
 */
const fits = (numerator: number, denominator: number) =>
  (SECOND / 10) * numerator + 2 * SECOND * denominator <= Number.MAX_SAFE_INTEGER;

/** Returns a rate as the simplest fraction that equals it, in lowest terms. Throws if there is none. */
export function exactRate(subject: string, rate: Rate, fix = "60 or [60000, 1001]"): ExactRate {
  if (Array.isArray(rate)) {
    const [above, below] = rate as unknown as ExactRate;
    if (isPositive(above) && isPositive(below) && rate.length === 2) {
      const divisor = gcd(above, below);
      if (fits(above / divisor, below / divisor)) return [above / divisor, below / divisor];
    }
  } else if (typeof rate === "number" && rate > 0) {
    // Only the fraction is multiplied, so that the whole part adds no rounding error.
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
    "a positive number of hertz, or a fraction [a, b] with a / 20 + b under 4503599",
    rate,
    fix,
  );
}

const isPositive = (part: number) => Number.isSafeInteger(part) && part > 0;

/** Returns the greatest common divisor of two whole numbers. */
function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
