// The arguments that functions are tested with. They are seeded by their index, so each can be computed alone.
import { Mulberry32 } from "../math/mulberry32.js";
import { USUAL_ARGUMENTS } from "../math/usual-arguments.js";

const numbers = new Mulberry32(0);

/** Alternates between usual arguments of the function and difficult ones. */
export function argumentsAt(name: string, index: number): number[] {
  // Spread the seeds of neighbouring indices.
  numbers.seed(Math.imul(index, 0x9e3779b1));
  const usual = USUAL_ARGUMENTS[name]!(numbers);
  if (index % 2 === 0) return usual;
  // Of several arguments, some stay usual: only difficult ones together mostly underflow or overflow.
  return usual.map((x) => (usual.length > 1 && numbers.word() % 2 === 0 ? x : hard(x)));
}

/** Returns a difficult argument, mostly with the sign of `like`: a negative number has no logarithm. */
function hard(like: number): number {
  const sign = like < 0 === numbers.word() % 8 > 0 ? -1 : 1;
  return sign * HARD[numbers.word() % HARD.length]!();
}

const { PI } = Math;
const between = (min: number, max: number) => min + (numbers.word() % (max - min + 1));

const bits = new DataView(new ArrayBuffer(8));

/** Returns 2 to a whole power exactly; the engine's `2 ** e` may not be. */
function powerOf2(exponent: number): number {
  bits.setUint32(0, (exponent + 1023) << 20);
  return bits.getFloat64(0);
}

/** Moves a normal number by up to eight doubles. */
const nudged = (x: number) => x * (1 + between(-8, 8) * 2.220446049250313e-16);

/** Where exp, sinh and others begin to overflow, underflow or become subnormal, and where their algorithms switch. */
const LIMITS = [
  709.782712893384, 710.4758600739439, 745.1332191019411, 708.3964185322641, 1024, 1074, 1022,
  0.34657359027997264, 0.6931471805599453, 0.5, 1, 1.4142135623730951, 22, 36.7368005696771, 0.4375, 2.4375,
  20.101268236238415,
];

const HARD: (() => number)[] = [
  () => numbers.any(),
  // Subnormal.
  () => (numbers.word() * 1048576 + (numbers.word() >>> 12)) * 5e-324,
  // Tiny, down to where squares underflow; huge, up to the largest.
  () => numbers.within(1, 2) * powerOf2(between(-1022, -20)),
  () => numbers.within(1, 2) * powerOf2(between(20, 1023)),
  // Near small and huge multiples of a quarter turn; for the huge ones, all digits of π matter.
  () => nudged(between(1, 64) * (PI / 2)),
  () => nudged(numbers.word() * powerOf2(between(0, 900)) * (PI / 2)),
  // Near 1, where logarithms and powers cancel.
  () => 1 + numbers.within(-1, 1) * powerOf2(-between(1, 52)),
  // Near whole numbers, their halves and the limits.
  () => nudged(between(0, 2200) / 2),
  () => nudged(LIMITS[numbers.word() % LIMITS.length]!),
  () => nudged(powerOf2(between(-1022, 1023))),
];
