import type { Mulberry32 } from "./mulberry32.js";

const angle = (numbers: Mulberry32) => [numbers.wide(-10, 10)];
const unit = (numbers: Mulberry32) => [numbers.within(-1, 1)];
const positive = (numbers: Mulberry32) => [Math.abs(numbers.wide(0, 100))];
const turns = (numbers: Mulberry32) => [numbers.wide(-1000, 1000)];

/** Typical arguments of each function, and some of any size. */
export const USUAL_ARGUMENTS: Record<string, (numbers: Mulberry32) => number[]> = {
  acos: unit,
  acosh: (numbers) => [1 + Math.abs(numbers.wide(0, 10))],
  asin: unit,
  asinh: angle,
  atan: angle,
  atan2: (numbers) => [numbers.wide(-10, 10), numbers.wide(-10, 10)],
  atanh: unit,
  cbrt: (numbers) => [numbers.wide(-100, 100)],
  cos: angle,
  cosDegrees: turns,
  cosTurns: turns,
  cosh: (numbers) => [numbers.within(-720, 720)],
  exp: (numbers) => [numbers.within(-750, 715)],
  expm1: (numbers) => [numbers.wide(-2, 2)],
  hypot: (numbers) => [numbers.wide(-100, 100), numbers.wide(-100, 100), numbers.wide(-100, 100)],
  log: positive,
  log10: positive,
  log1p: (numbers) => [numbers.wide(-1, 10)],
  log2: positive,
  pow: (numbers) => [Math.abs(numbers.wide(0, 10)), numbers.within(-50, 50)],
  sin: angle,
  sinDegrees: turns,
  sinTurns: turns,
  sinh: (numbers) => [numbers.within(-720, 720)],
  tan: angle,
  tanh: (numbers) => [numbers.within(-4, 4)],
  toDegrees: angle,
  toRadians: turns,
};
