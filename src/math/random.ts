import { badValue, requireNumber, requireWhole } from "../errors/index.js";
import { log } from "./log.js";
import { murmur } from "./murmur.js";
import { next, refuseUnseeded, seedWords } from "./sfc32.js";

/** 2^32: so many values a draw has. */
const ALL = 4294967296;

/**
 * Random numbers whose whole state is four words of yours, from `offset` on: who saves, loads or hashes those words
 * does so with the generator. It holds nothing else, so that several may be made of the same words.
 */
export function random(words: Uint32Array, offset = 0): Random {
  if (!(words instanceof Uint32Array))
    badValue("random: words", "a Uint32Array", words, "new Uint32Array(4)");
  requireWhole("random: offset", offset, 0, 0);
  if (words.length < offset + 4)
    badValue("random: words.length", `${offset + 4} or more`, words.length, `new Uint32Array(${offset + 4})`);
  return new Random(words, offset);
}

/** sfc32. Each method draws from the state as many words as it says; the bits are the same on every engine. */
export class Random {
  private readonly words: Uint32Array;
  private readonly at: number;

  constructor(words: Uint32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** Starts over, from a whole number or any text. 7 and "7" are different seeds. */
  seed(seed: number | string): this {
    const { words, at } = this;
    if (typeof seed === "string") {
      seedWords(words, at, murmur(seed, 0), murmur(seed, 1), murmur(seed, 2), 15);
    } else {
      if (!Number.isSafeInteger(seed))
        badValue("Random.seed: seed", "a whole number below 2^53, or a string", seed, 1);
      // PractRand's seeding by 64 bits.
      seedWords(words, at, 0, seed, Math.floor(seed / ALL), 12);
    }
    return this;
  }

  /**
   * Seeds another generator, a stream of its own, by this one's state and a name, and draws nothing from this one.
   * The same name at the same state makes the same stream, another name another.
   */
  fork(name: string | number, child: Random): Random {
    if (typeof name !== "string" && !Number.isSafeInteger(name))
      badValue("Random.fork: name", "a string or a whole number", name, '"loot"');
    if (!(child instanceof Random))
      badValue("Random.fork: child", "a generator of other words", child, "random(new Uint32Array(4))");
    const { words, at } = this;
    const apart = child.words.byteOffset + 4 * child.at - (words.byteOffset + 4 * at);
    if (child.words.buffer === words.buffer && apart > -16 && apart < 16)
      badValue("Random.fork: child", "a generator of other words", "the same", "random(new Uint32Array(4))");
    const text = `${name}`;
    const a = words[at]!;
    const b = words[at + 1]!;
    const c = words[at + 2]!;
    if ((a | b | c | words[at + 3]!) === 0) refuseUnseeded();
    // For one name, other words have another child: the hash is a bijection of its seed. The fourth only counts.
    seedWords(child.words, child.at, murmur(text, a), murmur(text, b), murmur(text, c), 15);
    return child;
  }

  /** 32 random bits: a whole number from 0 to 2^32 - 1. One draw. */
  u32(): number {
    return next(this.words, this.at);
  }

  /**
   * From 0 up to, but not including, 1, in steps of 2^-53: as fine as `Math.random()`, so that it can stand in for it.
   * Two draws. Stored in a Float32Array it may round to 1.
   */
  float(): number {
    const high = next(this.words, this.at) >>> 5;
    return (high * 67108864 + (next(this.words, this.at) >>> 6)) / 9007199254740992;
  }

  /** A whole number from 0 to `count` - 1, each exactly as likely; for counts up to 2^32. One draw, seldom more. */
  below(count: number): number {
    if (!(Number.isSafeInteger(count) && count >= 1 && count <= ALL))
      badValue("Random.below: count", "a whole number from 1 to 2^32", count, 6);
    return this.multiply(count);
  }

  /** A whole number from `least` to `most`, both included, each exactly as likely. One draw, seldom more. */
  int(least: number, most: number): number {
    if (!Number.isSafeInteger(least)) badValue("Random.int: least", "a whole number below 2^53", least, 1);
    if (!(Number.isSafeInteger(most) && most >= least && most - least < ALL))
      badValue(
        "Random.int: most",
        `a whole number from ${least} to ${least} + 2^32 - 1`,
        most,
        Math.min(least + 5, Number.MAX_SAFE_INTEGER),
      );
    return least + this.multiply(most - least + 1);
  }

  /** True with this probability, from 0, never, to 1, always. Two draws. */
  chance(probability: number): boolean {
    if (!(typeof probability === "number" && probability >= 0 && probability <= 1))
      requireNumber("Random.chance: probability", probability, 0, 1, 0.5);
    return this.float() < probability;
  }

  /**
   * Normally distributed. By the ratio of uniforms with Leva's bounds (ACM TOMS 18, 1992, algorithm 712): every call
   * stands alone, nothing is kept for the next one. 2.74 draws on average; no further than 9.6 deviations.
   */
  gaussian(mean = 0, deviation = 1): number {
    if (!Number.isFinite(mean)) badValue("Random.gaussian: mean", "a finite number", mean, 0);
    if (!(Number.isFinite(deviation) && deviation >= 0))
      badValue("Random.gaussian: deviation", "a finite number, 0 or more", deviation, 1);
    const { words, at } = this;
    for (;;) {
      // The middles of 2^32 intervals: neither is 0, and v is as often negative as positive.
      const u = (next(words, at) + 0.5) / ALL;
      const v = 1.7156 * ((next(words, at) + 0.5) / ALL - 0.5);
      const x = u - 0.449871;
      const y = Math.abs(v) + 0.386595;
      const q = x * x + y * (0.196 * y - 0.25472 * x);
      // The logarithm decides in one of a hundred cases.
      if (q < 0.27597 || (q < 0.27846 && v * v <= -4 * u * u * log(u))) return mean + deviation * (v / u);
    }
  }

  /** One of a list's, each exactly as likely. One draw, seldom more. */
  pick<T>(list: ArrayLike<T>): T {
    const length = lengthOf("Random.pick", list);
    if (length === 0) badValue("Random.pick: list.length", "1 or more", length, "[1, 2, 3]");
    return list[this.multiply(length)]!;
  }

  /** Brings a list into random order, in place, each order exactly as likely (Fisher and Yates), and returns it. */
  shuffle<L extends Shuffled>(list: L): L {
    const items = list as unknown[];
    for (let last = lengthOf("Random.shuffle", list) - 1; last > 0; last--) {
      const other = this.multiply(last + 1);
      const item = items[last];
      items[last] = items[other];
      items[other] = item;
    }
    return list;
  }

  /**
   * The upper half of a draw × count, drawn again where the lower half would favour some (Lemire, ACM TOMACS 29, 2019).
   * The product has 64 bits: it is made of halves.
   */
  private multiply(count: number): number {
    const { words, at } = this;
    let draw = next(words, at);
    if (Math.imul(draw, count) >>> 0 < count) {
      const favouring = (ALL - count) % count;
      while (Math.imul(draw, count) >>> 0 < favouring) draw = next(words, at);
    }
    return Math.floor(((draw >>> 16) * count + Math.floor(((draw & 0xffff) * count) / 65536)) / 65536);
  }
}

/** What can be shuffled: an array, or a typed array of numbers. */
type Shuffled =
  | unknown[]
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

function lengthOf(call: string, list: ArrayLike<unknown>): number {
  const length = typeof list === "object" && list !== null ? list.length : undefined;
  if (!(Number.isSafeInteger(length) && length! >= 0 && length! <= ALL))
    badValue(`${call}: list`, "an array or a typed array", list, "[1, 2, 3]");
  return length!;
}
