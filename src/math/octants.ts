const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
const QUARTER_PI = 0.7853981633974483;
const QUARTER_PI_LOW = 3.061616997868383e-17;
const ATAN_HALF = 0.4636476090008061;
const ATAN_HALF_LOW = 2.2698777452961687e-17;

/** Numbers per row of the table: p, q, the sign, and C as a pair. */
export const ROW = 5;
/** Rows per octant. They differ in the angle that is subtracted first: 0, atan(1 / 2) or π / 4. */
export const ANGLES = 3;

/**
 * The table of `atan2`: in each octant, the angle is C ± atan(t), t = (p a - q b) / (p b + q a), where a is the smaller
 * side and b the larger. An octant's index has three bits: y is negative, x is negative, |y| is the larger.
 */
export function octants(): Float64Array {
  const table: number[] = [];
  for (let octant = 0; octant < 8; octant++) {
    const side = octant & 4 ? -1 : 1;
    const isSteep = octant & 1;
    const base = isSteep ? HALF_PI : octant & 2 ? PI : 0;
    const baseLow = isSteep ? HALF_PI_LOW : octant & 2 ? PI_LOW : 0;
    const sign = isSteep ^ ((octant >> 1) & 1) ? -1 : 1;
    const row = (p: number, q: number, angle: number, low: number) => {
      const c = base + sign * angle;
      table.push(p, q, sign * side, side * c, side * (base - c + sign * angle + (baseLow + sign * low)));
    };
    row(1, 0, 0, 0);
    row(2, 1, ATAN_HALF, ATAN_HALF_LOW);
    row(1, 1, QUARTER_PI, QUARTER_PI_LOW);
  }
  return Float64Array.from(table);
}
