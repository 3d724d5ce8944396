import { asinLow } from "./asin-low.js";
import { LOW, root } from "./pair.js";

const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;

/** Returns the angle, in radians, whose sine is x. Error below 0.79 ulp. */
export function asin(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) {
    // Tiny arguments, and -0, are their own result.
    return a < 1e-8 ? x : x + x * asinLow(x * x);
  }
  if (!(a < 1)) return a === 1 ? x * HALF_PI : NaN;
  // asin(x) = π / 2 - 2 asin(√((1 - x) / 2)).
  const z = 0.5 * (1 - a);
  const s = root(z, 0);
  const high = 2 * s;
  const whole = HALF_PI - high;
  const angle = whole + (HALF_PI - whole - high - (2 * LOW[0]! + high * asinLow(z) - HALF_PI_LOW));
  return x < 0 ? -angle : angle;
}
