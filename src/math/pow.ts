import { isNegative, LEAST_NORMAL, scale } from "./bits.js";
import { ROUNDER } from "./exp-pair.js";
import { log2Pair } from "./log2-pair.js";
import { LOW } from "./pair.js";
import { powerTimesExp } from "./powers.js";

const LN2 = 0.6931471805599453;
/** Beyond this, all powers except those of 1 are 0 or infinite. */
const LARGE = 1e21;

/** Returns x^y. Error below 0.91 ulp; below 0.81 for normal results. */
export function pow(x: number, y: number): number {
  if (x >= LEAST_NORMAL && x < 1e300 && y < LARGE && y > -LARGE) return power(x, 0, y);
  return unusual(x, y);
}

/** (x × 2^more)^y for a positive x, where neither x nor y is extreme. */
function power(x: number, more: number, y: number): number {
  const h = log2Pair(x, more);
  const l = LOW[0]!;
  // y × log2(x): the product of the singles is exact.
  const yh = Math.fround(y);
  const high = yh * h;
  const low = (y - yh) * h + y * l;
  const z = high + low;
  if (!(z < 1024.1 && z > -1075.1)) return z > 0 ? Infinity : 0;
  const n = z * 16 + ROUNDER - ROUNDER;
  const r = (high - n * 0.0625 + low) * LN2;
  return scale(powerTimesExp(n, r) + LOW[0]!, n >> 4);
}

/** `pow` for zeros, negative, subnormal, huge and infinite numbers. */
function unusual(x: number, y: number): number {
  if (y === 0) return 1;
  if (!(x === x && y === y)) return NaN;
  const a = Math.abs(x);
  if (y === Infinity || y === -Infinity) return a === 1 ? NaN : a > 1 === y > 0 ? Infinity : 0;
  const isOdd = Math.abs(y % 2) === 1;
  if (x < 0 && x > -Infinity && y % 1 !== 0) return NaN;
  const value = ofAbsolute(a, y);
  return isOdd && isNegative(x) ? -value : value;
}

/** a^y for a ≥ 0. */
function ofAbsolute(a: number, y: number): number {
  if (a === 1) return 1;
  if (a === 0 || a === Infinity) return a > 1 === y > 0 ? Infinity : 0;
  if (!(y < LARGE && y > -LARGE)) return a > 1 === y > 0 ? Infinity : 0;
  // Scaled by 2^54 or 2^-64, as in log.ts.
  if (a < LEAST_NORMAL) return power(a * 18014398509481984, -54, y);
  return a < 1e300 ? power(a, 0, y) : power(a * 5.421010862427522e-20, 64, y);
}
