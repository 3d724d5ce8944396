/** What the last `mulDiv` left over: less than its divisor. In an array, as engines allocate for a variable. */
export const remainder: Float64Array = new Float64Array(1);

/**
 * The whole part of `a × b / c`, exact although the product may pass 2^53; `remainder` has the rest.
 * Takes whole numbers, `b % c + 2c` and the result below 2^53.
 */
export function mulDiv(a: number, b: number, c: number): number {
  let quotient = 0;
  let left = a * b;
  if (left > Number.MAX_SAFE_INTEGER) {
    // Long multiplication and division at once, in digits so large that no sum leaves 2^53.
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
