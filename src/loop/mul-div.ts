/** The remainder of the last `mulDiv`. In an array, as engines allocate doubles in variables. */
export const remainder: Float64Array = new Float64Array(1);

/**
 * Returns `a × b / c`, rounded down and exact even if the product exceeds 2^53; `remainder` has the rest. All are whole
 * numbers; `b % c + 2c` and the result must be below 2^53.
 */
export function mulDiv(a: number, b: number, c: number): number {
  let quotient = 0;
  let left = a * b;
  if (left > Number.MAX_SAFE_INTEGER) {
    // Long multiplication and division at once, in digits small enough that no sum exceeds 2^53.
    const radix = Math.max(2, Math.floor(2 ** 52 / c));
    const high = Math.floor(a / radix);
    const digit = a - high * radix;
    const whole = Math.floor(b / c);
    quotient = mulDiv(high, b, c) * radix + digit * whole;
    left = remainder[0]! * radix + digit * (b - whole * c);
  }
  const more = Math.floor(left / c);
  remainder[0] = left - more * c;
  return quotient + more;
}
