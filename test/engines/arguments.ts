// The arguments that a function is tried with: seeded by their index, so that any of them can be had alone.
import { Mulberry32 } from "../math/mulberry32.js";
import { USUAL_ARGUMENTS } from "../math/usual-arguments.js";

const numbers = new Mulberry32(0);

/** By turns the function's usual ones, and those where functions err. */
export function argumentsAt(name: string, index: number): number[] {
  // Neighbouring indices begin far apart.
  numbers.seed(Math.imul(index, 0x9e3779b1));
  const usual = USUAL_ARGUMENTS[name]!(numbers);
  if (index % 2 === 0) return usual;
  // Where there are several, each may stay as it is: hard ones together mostly vanish or overflow.
  return usual.map((x) => (usual.length > 1 && numbers.word() % 2 === 0 ? x : hard(x)));
}

/** Of the sign of another, mostly: a negative number has no logarithm. */
function hard(like: number): number {
  const sign = like < 0 === numbers.word() % 8 > 0 ? -1 : 1;
  return sign * HARD[numbers.word() % HARD.length]!();
}

const { PI } = Math;
const between = (least: number, most: number) => least + (numbers.word() % (most - least + 1));

const bits = new DataView(new ArrayBuffer(8));

/** 2 to a whole power that is a normal number, exactly: `2 ** e` is the engine's affair. */
function powerOf2(exponent: number): number {
  bits.setUint32(0, (exponent + 1023) << 20);
  return bits.getFloat64(0);
}

/** Up to eight doubles further on or back, in a normal number. */
const nudged = (x: number) => x * (1 + between(-8, 8) * 2.220446049250313e-16);

/** Where exp, sinh and the like begin to overflow, to vanish or to be subnormal, and where methods change. */
const LIMITS = [
  709.782712893384, 710.4758600739439, 745.1332191019411, 708.3964185322641, 1024, 1074, 1022,
  0.34657359027997264, 0.6931471805599453, 0.5, 1, 1.4142135623730951, 22, 36.7368005696771, 0.4375, 2.4375,
  20.101268236238415,
];

const HARD: (() => number)[] = [
  () => numbers.any(),
  // Subnormal.
  () => (numbers.word() * 1048576 + (numbers.word() >>> 12)) * 5e-324,
  // Tiny, down to where squares vanish; huge, up to the greatest.
  () => numbers.within(1, 2) * powerOf2(between(-1022, -20)),
  () => numbers.within(1, 2) * powerOf2(between(20, 1023)),
  // Near a multiple of a quarter turn: few of them, and so many that all of π's digits count.
  () => nudged(between(1, 64) * (PI / 2)),
  () => nudged(numbers.word() * powerOf2(between(0, 900)) * (PI / 2)),
  // Near 1, where logarithms and powers cancel.
  () => 1 + numbers.within(-1, 1) * powerOf2(-between(1, 52)),
  // Near whole numbers, their halves and the limits.
  () => nudged(between(0, 2200) / 2),
  () => nudged(LIMITS[numbers.word() % LIMITS.length]!),
  () => nudged(powerOf2(between(-1022, 1023))),
];
