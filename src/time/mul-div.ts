/** What the last `mulDiv` left over: less than its divisor. */
export let remainder = 0;

/**
 * The whole part of `a × b / c`, exact although the product may pass 2^53; `remainder` has the rest.
 * Takes whole numbers, c up to 2^51, and a result below 2^53. Long multiplication and division at
 * once, in digits so large that no sum leaves 2^53.
 */
export function mulDiv(a: number, b: number, c: number): number {
  const radix = Math.max(2, Math.floor(2 ** 52 / c));
  const high = Math.floor(a / radix);
  const digit = a - high * radix;
  const whole = Math.floor(b / c);
  let quotient = 0;
  let left = digit * (b - whole * c);
  if (high > 0) {
    quotient = mulDiv(high, b, c) * radix;
    left += remainder * radix;
  }
  const more = Math.floor(left / c);
  remainder = left - more * c;
  return quotient + digit * whole + more;
}
