import { isNegative } from "./bits.js";
import { productLow } from "./pair.js";
import { REST } from "./reduce.js";
import { sineOf } from "./sine.js";

const RADIANS_PER_TURN = 6.283185307179586;
const RADIANS_PER_TURN_LOW = 2.4492935982947064e-16;
const RADIANS_PER_DEGREE = 0.017453292519943295;
const RADIANS_PER_DEGREE_LOW = 2.9486522708701687e-19;
const DEGREES_PER_RADIAN = 57.29577951308232;

/** Converts degrees to radians. Error below 0.66 ulp. */
export function toRadians(degrees: number): number {
  return degrees * RADIANS_PER_DEGREE;
}

/** Converts radians to degrees. Error below 0.82 ulp. */
export function toDegrees(radians: number): number {
  return radians * DEGREES_PER_RADIAN;
}

/**
 * Returns the sine of an angle in turns. Exact at quarter turns, and accurate for any number of turns. Error below 0.91
 * ulp.
 */
export function sinTurns(turns: number): number {
  const value = sineOf(reduceTurns(turns));
  // A zero has the sign of the angle.
  return value === 0 ? (isNegative(turns) ? -0 : 0) : value;
}

/**
 * Returns the cosine of an angle in turns. Exact at quarter turns, and accurate for any number of turns. Error below
 * 0.91 ulp.
 */
export function cosTurns(turns: number): number {
  // Turns -0 into 0.
  return sineOf(reduceTurns(turns) + 1) + 0;
}

/**
 * Returns the sine of an angle in degrees. Exact at quarter turns, and accurate for any number of turns. Error below
 * 0.91 ulp.
 */
export function sinDegrees(degrees: number): number {
  const value = sineOf(reduceDegrees(degrees));
  // A zero has the sign of the angle.
  return value === 0 ? (isNegative(degrees) ? -0 : 0) : value;
}

/**
 * Returns the cosine of an angle in degrees. Exact at quarter turns, and accurate for any number of turns. Error below
 * 0.91 ulp.
 */
export function cosDegrees(degrees: number): number {
  // Turns -0 into 0.
  return sineOf(reduceDegrees(degrees) + 1) + 0;
}

function reduceTurns(turns: number): number {
  const part = turns % 1;
  const n = Math.round(part * 4);
  return storeRest(n, part - n * 0.25, RADIANS_PER_TURN, RADIANS_PER_TURN_LOW);
}

function reduceDegrees(degrees: number): number {
  const part = degrees % 360;
  const n = Math.round(part / 90);
  return storeRest(n, part - n * 90, RADIANS_PER_DEGREE, RADIANS_PER_DEGREE_LOW);
}

/** Below this, the low part of a product would underflow. */
const TINY = 1e-280;
// 2^200 and 2^-200.
const UP = 1.6069380442589903e60;
const DOWN = 6.223015277861142e-61;

/** Stores x × unit in REST, and returns n. */
function storeRest(n: number, x: number, unit: number, unitLow: number): number {
  const isTiny = Math.abs(x) < TINY;
  const y = isTiny ? x * UP : x;
  const product = y * unit;
  const low = productLow(y, unit, product) + y * unitLow;
  REST[0] = isTiny ? (product + low) * DOWN : product;
  REST[1] = isTiny ? 0 : low;
  return n;
}
