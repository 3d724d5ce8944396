import { atanLow } from "./atan-low.js";
import { isNegative } from "./bits.js";
import { ANGLES, octants, ROW } from "./octants.js";
import { upper } from "./pair.js";

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
const QUARTER_PI = 0.7853981633974483;

const TABLE = /* @__PURE__ */ octants();

/** |y| and |x|, to pick the smaller one without the branches of Math.min and Math.max. */
const SIDES = /* @__PURE__ */ new Float64Array(2);

/** Returns the angle, in radians, of the direction to (x, y), from -π to π. Error below 0.91 ulp. */
export function atan2(y: number, x: number): number {
  const ay = Math.abs(y);
  const ax = Math.abs(x);
  SIDES[0] = ay;
  SIDES[1] = ax;
  const steep = +(ay > ax);
  const a = SIDES[steep]!;
  const b = SIDES[1 - steep]!;
  // Within these bounds, no intermediate result overflows or underflows, and neither is zero.
  if (!(b < 1e150 && a > 1e-150 && a > 1e-9 * b)) return unusual(y, x);
  const octant = (+(y < 0) << 2) | (+(x < 0) << 1) | steep;
  return byRow(a, b, (octant * ANGLES + +(a > 0.4375 * b) + +(a > 0.6875 * b)) * ROW);
}

/**
 * C ± atan(t), t = (p a - q b) / (p b + q a), where a is the smaller side and b the larger. Signs and constants come
 * from a table, as branches on a random direction would be mispredicted.
 */
function byRow(a: number, b: number, row: number): number {
  const p = TABLE[row]!;
  const q = TABLE[row + 1]!;
  // The numerator is exact: if q is 0 it is a; otherwise the two products are within a factor of two.
  const t = (p * a - q * b) / (p * b + q * a);
  const sign = TABLE[row + 2]!;
  const c = TABLE[row + 3]!;
  if (c === 0) return sign * nearAxis(a, b, t);
  const high = sign * t;
  const angle = c + high;
  return angle + (c - angle + high + (TABLE[row + 4]! - sign * atanLow(t)));
}

/** atan(a / b), where t is the rounded quotient. Without a C that dominates, the rounding error is corrected. */
function nearAxis(a: number, b: number, t: number): number {
  const th = upper(t);
  const top = upper(b);
  return th + ((a - th * top - th * (b - top)) / b - atanLow(t));
}

/** `atan2` for numbers that are far apart, tiny or huge, and for zeros and infinities. */
function unusual(y: number, x: number): number {
  if (!(x === x && y === y)) return NaN;
  const a = Math.abs(y);
  const b = Math.abs(x);
  if (a === Infinity || b === Infinity) {
    const ofX = x > 0 ? 0 : PI;
    const ofBoth = x > 0 ? QUARTER_PI : 3 * QUARTER_PI;
    return signed(a < b ? ofX : a > b ? HALF_PI : ofBoth, y);
  }
  if (a <= 1e-9 * b || a === 0) {
    if (!isNegative(x)) return a === 0 ? y : y / x;
    return signed(PI - (a === 0 ? 0 : a / b - PI_LOW), y);
  }
  if (b <= 1e-9 * a) return signed(HALF_PI - (x / a - HALF_PI_LOW), y);
  // Scaling both by 2^-600 or 2^600 keeps the direction.
  const by = a > 1 ? 2.409919865102884e-181 : 4.149515568880993e180;
  return atan2(y * by, x * by);
}

function signed(angle: number, y: number): number {
  return isNegative(y) ? -angle : angle;
}
