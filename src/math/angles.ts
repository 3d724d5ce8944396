import { isNegative } from "./bits.js";
import { productLow } from "./pair.js";
import { REST } from "./reduce.js";
import { sineOf } from "./sine.js";

const RADIANS_A_TURN = 6.283185307179586;
const RADIANS_A_TURN_LOW = 2.4492935982947064e-16;
const RADIANS_A_DEGREE = 0.017453292519943295;
const RADIANS_A_DEGREE_LOW = 2.9486522708701687e-19;
const DEGREES_A_RADIAN = 57.29577951308232;

/** Degrees in radians. Errs by less than 0.66 ulp. */
export function toRadians(degrees: number): number {
  return degrees * RADIANS_A_DEGREE;
}

/** Radians in degrees. Errs by less than 0.82 ulp. */
export function toDegrees(radians: number): number {
  return radians * DEGREES_A_RADIAN;
}

/** The sine of an angle in turns, exact at quarter turns; any number of them, without loss. Errs by less than 0.91 ulp. */
export function sinTurns(turns: number): number {
  const value = sineOf(reduceTurns(turns));
  // A zero has the sign of the angle.
  return value === 0 ? (isNegative(turns) ? -0 : 0) : value;
}

/** The cosine of an angle in turns, likewise. Errs by less than 0.91 ulp. */
export function cosTurns(turns: number): number {
  // Without -0.
  return sineOf(reduceTurns(turns) + 1) + 0;
}

/** The sine of an angle in degrees, exact at quarter turns; any number of them, without loss. Errs by less than 0.91 ulp. */
export function sinDegrees(degrees: number): number {
  const value = sineOf(reduceDegrees(degrees));
  // A zero has the sign of the angle.
  return value === 0 ? (isNegative(degrees) ? -0 : 0) : value;
}

/** The cosine of an angle in degrees, likewise. Errs by less than 0.91 ulp. */
export function cosDegrees(degrees: number): number {
  // Without -0.
  return sineOf(reduceDegrees(degrees) + 1) + 0;
}

function reduceTurns(turns: number): number {
  const part = turns % 1;
  const n = Math.round(part * 4);
  return leave(n, part - n * 0.25, RADIANS_A_TURN, RADIANS_A_TURN_LOW);
}

function reduceDegrees(degrees: number): number {
  const part = degrees % 360;
  const n = Math.round(part / 90);
  return leave(n, part - n * 90, RADIANS_A_DEGREE, RADIANS_A_DEGREE_LOW);
}

/** Below this, what a product leaves over would vanish, in part. */
const TINY = 1e-280;
// 2^200 and 2^-200.
const UP = 1.6069380442589903e60;
const DOWN = 6.223015277861142e-61;

/** Leaves x × unit in REST; returns n. */
function leave(n: number, x: number, unit: number, unitLow: number): number {
  const isTiny = Math.abs(x) < TINY;
  const y = isTiny ? x * UP : x;
  const product = y * unit;
  const low = productLow(y, unit, product) + y * unitLow;
  REST[0] = isTiny ? (product + low) * DOWN : product;
  REST[1] = isTiny ? 0 : low;
  return n;
}
