import { asinLow } from "./asin-low.js";
import { LOW, root } from "./pair.js";

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;

/** Returns the angle, in radians, whose cosine is x. Error below 0.72 ulp. */
export function acos(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) {
    const whole = HALF_PI - x;
    return whole + (HALF_PI - whole - x - (x * asinLow(x * x) - HALF_PI_LOW));
  }
  if (!(a < 1)) return x === 1 ? 0 : x === -1 ? PI : NaN;
  // acos(x) = 2 asin(√((1 - x) / 2)).
  const z = 0.5 * (1 - a);
  const high = 2 * root(z, 0);
  const low = 2 * LOW[0]! + high * asinLow(z);
  if (x > 0) return high + low;
  const whole = PI - high;
  return whole + (PI - whole - high - (low - PI_LOW));
}
