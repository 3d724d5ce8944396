import { badValue, misuse, requireArguments, requireNumber, requireWhole } from "../errors/index.js";
import { log } from "./log.js";
import { murmur } from "./murmur.js";
import { next, rejectUnseeded, seedWords } from "./sfc32.js";

/** 2^32: the number of values of a draw. */
const VALUES = 4294967296;

/**
 * Creates a random generator whose whole state is four of your words, from index `offset` on. To save, load or hash the
 * generator, save, load or hash those words. It holds nothing else, so several generators may share the same words.
 */
export function random(words: Uint32Array, offset = 0): Random {
  requireArguments("random", arguments.length, 2);
  if (!(words instanceof Uint32Array))
    badValue("random: words", "a Uint32Array", words, "new Uint32Array(4)");
  requireWhole("random: offset", offset, 0, 0);
  if (words.length < offset + 4)
    badValue("random: words.length", `${offset + 4} or more`, words.length, `new Uint32Array(${offset + 4})`);
  return new Random(words, offset);
}

/** A random generator (sfc32). It returns the same bits on every engine. Each method states how many words it draws. */
export class Random {
  private readonly words: Uint32Array;
  private readonly at: number;

  constructor(words: Uint32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** Restarts the generator from a whole number or a string. 7 and "7" are different seeds. */
  seed(seed: number | string): this {
    requireArguments("Random.seed", arguments.length, 1);
    const { words, at } = this;
    if (typeof seed === "string") {
      seedWords(words, at, murmur(seed, 0), murmur(seed, 1), murmur(seed, 2), 15);
    } else {
      if (!Number.isSafeInteger(seed))
        badValue("Random.seed: seed", "a whole number below 2^53, or a string", seed, 1);
      // PractRand's seeding with 64 bits.
      seedWords(words, at, 0, seed, Math.floor(seed / VALUES), 12);
    }
    return this;
  }

  /**
   * Seeds another generator from this one's state and a name, as an independent stream. Draws nothing from this one.
   * The same name at the same state gives the same stream; another name gives another stream.
   */
  fork(name: string | number, child: Random): Random {
    if (typeof name !== "string" && !Number.isSafeInteger(name))
      badValue("Random.fork: name", "a string or a whole number", name, '"loot"');
    if (!(child instanceof Random))
      badValue("Random.fork: child", "another generator", child, "random(new Uint32Array(4))");
    const { words, at } = this;
    const distance = child.words.byteOffset + 4 * child.at - (words.byteOffset + 4 * at);
    if (child.words.buffer === words.buffer && distance > -16 && distance < 16)
      misuse("in-use", "Random.fork", "child shares words with its parent", "Try random(new Uint32Array(4))");
    const text = `${name}`;
    const a = words[at]!;
    const b = words[at + 1]!;
    const c = words[at + 2]!;
    if ((a | b | c | words[at + 3]!) === 0) rejectUnseeded();
    // Different states give different children: for one name, the hash is a bijection of its seed. The fourth word only
    // counts.
    seedWords(child.words, child.at, murmur(text, a), murmur(text, b), murmur(text, c), 15);
    return child;
  }

  /** Returns 32 random bits: a whole number from 0 to 2^32 - 1. One draw. */
  u32(): number {
    return next(this.words, this.at);
  }

  /**
   * Returns a number from 0 to less than 1, in steps of 2^-53, as `Math.random()` does. Two draws. Stored in a
   * Float32Array, it may round to 1.
   */
  float(): number {
    requireArguments("Random.float", arguments.length, 0);
    const high = next(this.words, this.at) >>> 5;
    return (high * 67108864 + (next(this.words, this.at) >>> 6)) / 9007199254740992;
  }

  /**
   * Returns a whole number from 0 to `count` - 1, all equally likely; `count` is at most 2^32. One draw, rarely more.
   */
  below(count: number): number {
    requireArguments("Random.below", arguments.length, 1);
    if (!(Number.isSafeInteger(count) && count >= 1 && count <= VALUES))
      badValue("Random.below: count", "a whole number from 1 to 2^32", count, 6);
    return this.multiply(count);
  }

  /** Returns a whole number from `min` to `max`, both included, all equally likely. One draw, rarely more. */
  int(min: number, max: number): number {
    requireArguments("Random.int", arguments.length, 2);
    if (!Number.isSafeInteger(min)) badValue("Random.int: min", "a whole number below 2^53", min, 1);
    if (!(Number.isSafeInteger(max) && max >= min && max - min < VALUES))
      badValue(
        "Random.int: max",
        `a whole number from ${min} to ${min} + 2^32 - 1`,
        max,
        Math.min(min + 5, Number.MAX_SAFE_INTEGER),
      );
    return min + this.multiply(max - min + 1);
  }

  /** Returns true with this probability, from 0 (never) to 1 (always). Two draws. */
  chance(probability: number): boolean {
    requireArguments("Random.chance", arguments.length, 1);
    if (!(typeof probability === "number" && probability >= 0 && probability <= 1))
      requireNumber("Random.chance: probability", probability, 0, 1, 0.5);
    return this.float() < probability;
  }

  /**
   * Returns a normally distributed number, at most 9.6 deviations from the mean. 2.74 draws on average. Uses the ratio
   * of uniforms with Leva's bounds (ACM TOMS 18, 1992, algorithm 712), which keeps nothing for the next call.
   */
  gaussian(mean = 0, deviation = 1): number {
    if (!Number.isFinite(mean)) badValue("Random.gaussian: mean", "a finite number", mean, 0);
    if (!(Number.isFinite(deviation) && deviation >= 0))
      badValue("Random.gaussian: deviation", "a finite number, 0 or more", deviation, 1);
    const { words, at } = this;
    for (;;) {
      // The midpoints of 2^32 intervals: neither is 0, and v is negative as often as positive.
      const u = (next(words, at) + 0.5) / VALUES;
      const v = 1.7156 * ((next(words, at) + 0.5) / VALUES - 0.5);
      const x = u - 0.449871;
      const y = Math.abs(v) + 0.386595;
      const q = x * x + y * (0.196 * y - 0.25472 * x);
      // The logarithm is needed in about one of a hundred cases.
      if (q < 0.27597 || (q < 0.27846 && v * v <= -4 * u * u * log(u))) return mean + deviation * (v / u);
    }
  }

  /** Returns an item of a list, all equally likely. One draw, rarely more. */
  pick<T>(list: ArrayLike<T>): T {
    requireArguments("Random.pick", arguments.length, 1);
    const length = lengthOf("Random.pick", list);
    if (length === 0) badValue("Random.pick: list.length", "1 or more", length, "[1, 2, 3]");
    return list[this.multiply(length)]!;
  }

  /**
   * Shuffles a list in place, all orders equally likely (Fisher and Yates), and returns it. One draw per item, rarely
   * more.
   */
  shuffle<L extends Shufflable>(list: L): L {
    requireArguments("Random.shuffle", arguments.length, 1);
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
   * Returns the upper half of draw × count, and draws again if the lower half would cause a bias (Lemire, ACM TOMACS
   * 29, 2019). The product has 64 bits, so it is computed in halves.
   */
  private multiply(count: number): number {
    const { words, at } = this;
    let draw = next(words, at);
    if (Math.imul(draw, count) >>> 0 < count) {
      const biased = (VALUES - count) % count;
      while (Math.imul(draw, count) >>> 0 < biased) draw = next(words, at);
    }
    return Math.floor(((draw >>> 16) * count + Math.floor(((draw & 0xffff) * count) / 65536)) / 65536);
  }
}

/** An array, or a typed array of numbers. */
type Shufflable =
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
  if (!(Number.isSafeInteger(length) && length! >= 0 && length! <= VALUES))
    badValue(`${call}: list`, "an array or a typed array", list, "[1, 2, 3]");
  return length!;
}
