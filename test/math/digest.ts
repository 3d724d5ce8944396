// Seeded arguments, and a digest of a function's results over them: any change of a bit shows. Exact operations only,
// so that every engine draws the same arguments.

export type Call = (...args: number[]) => number;

/** What else tickwise/math has: what is made of its functions, and has tests of its own. */
const OTHERS = new Set(["PROFILE", "damp", "halfLife", "random", "spring", "springAll"]);

/** The functions of tickwise/math that stand in for those of Math. */
export function functionsOf(math: object): Record<string, Call> {
  return Object.fromEntries(Object.entries(math).filter(([name]) => !OTHERS.has(name)));
}

/** Random doubles, by a generator of 32 bits (mulberry32). */
export class Draw {
  #state = 0;
  readonly #bits = new DataView(new ArrayBuffer(8));

  constructor(seed: number) {
    this.seed(seed);
  }

  seed(seed: number): void {
    this.#state = seed;
  }

  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  within(low: number, high: number): number {
    return low + (this.word() / 4294967296) * (high - low);
  }

  /** Any finite double: evenly over all bit patterns. */
  any(): number {
    do {
      this.#bits.setUint32(0, this.word());
      this.#bits.setUint32(4, this.word());
    } while (!Number.isFinite(this.#bits.getFloat64(0)));
    return this.#bits.getFloat64(0);
  }

  /** Small, of moderate size or anything, of either sign. */
  wide(low: number, high: number): number {
    return this.word() % 4 === 0 ? this.any() : this.within(low, high);
  }
}

const angle = (draw: Draw) => [draw.wide(-10, 10)];
const unit = (draw: Draw) => [draw.within(-1, 1)];
const positive = (draw: Draw) => [Math.abs(draw.wide(0, 100))];
const turns = (draw: Draw) => [draw.wide(-1000, 1000)];

/** The arguments that each function is tried with. */
export const ARGUMENTS: Record<string, (draw: Draw) => number[]> = {
  acos: unit,
  acosh: (draw) => [1 + Math.abs(draw.wide(0, 10))],
  asin: unit,
  asinh: angle,
  atan: angle,
  atan2: (draw) => [draw.wide(-10, 10), draw.wide(-10, 10)],
  atanh: unit,
  cbrt: (draw) => [draw.wide(-100, 100)],
  cos: angle,
  cosDegrees: turns,
  cosTurns: turns,
  cosh: (draw) => [draw.within(-720, 720)],
  exp: (draw) => [draw.within(-750, 715)],
  expm1: (draw) => [draw.wide(-2, 2)],
  hypot: (draw) => [draw.wide(-100, 100), draw.wide(-100, 100), draw.wide(-100, 100)],
  log: positive,
  log10: positive,
  log1p: (draw) => [draw.wide(-1, 10)],
  log2: positive,
  pow: (draw) => [Math.abs(draw.wide(0, 10)), draw.within(-50, 50)],
  sin: angle,
  sinDegrees: turns,
  sinTurns: turns,
  sinh: (draw) => [draw.within(-720, 720)],
  tan: angle,
  tanh: (draw) => [draw.within(-4, 4)],
  toDegrees: angle,
  toRadians: turns,
};

/** A digest of 64 bits of `count` results, as hexadecimal digits. */
export function digestOf(name: string, call: Call, count: number): string {
  const draw = new Draw(1);
  const digest = new Digest();
  for (let i = 0; i < count; i++) digest.add(call(...ARGUMENTS[name]!(draw)));
  return digest.text();
}

/** 64 bits of all numbers that were added, in their order. */
export class Digest {
  readonly #bits = new DataView(new ArrayBuffer(8));
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(x: number): void {
    // The bits of NaN are the engine's affair.
    this.#bits.setFloat64(0, x === x ? x : 0.123456789);
    const a = Math.imul(rotate(this.#a, 13) ^ this.#bits.getUint32(0), 0xcc9e2d51);
    this.#b = Math.imul(rotate(this.#b, 17) ^ this.#bits.getUint32(4) ^ a, 0x1b873593);
    this.#a = a ^ (this.#b >>> 15);
  }

  /** Of what was added so far, as hexadecimal digits. */
  text(): string {
    return [this.#a, this.#b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
