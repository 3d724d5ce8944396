import { badValue } from "../errors/index.js";

/**
 * The 64-bit hash of a state. It covers every bit. Of each block of 64 bytes, each of the 16 lanes absorbs one word:
 *
 *     x = lane ^ word;  lane = (x ^ x >>> 15) * 0x2c1b3c6d;  sum += lane       (mod 2^32; lanes i, i + 4, ... share a sum)
 *
 * This is a bijection of the word for a given lane, and of the lane for a given word, so a change of a single word is never
 * lost. Changes that cancel out in their lane still show in its sum. Every NaN counts as 0x7ff8000000000000 or 0x7fc00000,
 * because engines may store different bits; -0 and 0 differ. Not cryptographic: collisions can be constructed.
 */
const LANES = 16;
const SUMS = 4;
const FIRST = LANES + SUMS;
const SECOND = FIRST + 1;

/** A 64-bit hash, as two unsigned 32-bit numbers. */
export type Hash = readonly [number, number];

/** Formats a hash as 16 hexadecimal digits. */
export function hashText(hash: Hash): string {
  if (typeof hash?.[0] !== "number" || typeof hash[1] !== "number")
    badValue("hashText: hash", "an array of two numbers", hash, "state.hash()");
  return digits(hash[0]) + digits(hash[1]);
}

/** @internal Formats a 32-bit number as 8 hexadecimal digits. */
export const digits = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

/** @internal Words of working memory: the lanes, the sums, and the two words of the result. */
export const HASH_WORDS = FIRST + 2;

/** @internal Initializes the words. They depend on the sizes, so the same bytes in other areas have another hash. */
export function beginHash(words: Int32Array, f64Bytes: number, f32Bytes: number, intBytes: number): void {
  let a = scramble(scramble(scramble(f64Bytes ^ 0x243f6a88) ^ f32Bytes) ^ intBytes);
  let b = scramble(scramble(scramble(intBytes ^ 0x13198a2e) ^ f32Bytes) ^ f64Bytes);
  words[FIRST] = a;
  words[SECOND] = b;
  for (let i = 0; i < FIRST; i++) {
    a = (a + 0x9e3779b9) | 0;
    b = scramble(a ^ b);
    words[i] = b;
  }
}

/**
 * @internal Writes the digest of the lanes and sums. The first word absorbs only the lanes, so no sum can cancel a change of a lane.
 * Nothing is lost afterwards, as each line is a bijection.
 */
export function endHash(words: Int32Array, out: { [index: number]: number }): void {
  let a = words[FIRST]!;
  let b = words[SECOND]!;
  for (let i = 0; i < LANES; i++) {
    a ^= words[i]!;
    a = Math.imul(a ^ (a >>> 16), 0x7feb352d);
  }
  for (let i = FIRST - 1; i >= 0; i--) {
    b ^= words[i]!;
    b = Math.imul((b << 13) | (b >>> 19), 0x846ca68b);
  }
  a ^= scramble(b);
  b ^= scramble((a + 0x9e3779b9) | 0);
  a ^= scramble((b + 0x3c6ef372) | 0);
  out[0] = a >>> 0;
  out[1] = b >>> 0;
}

/** A bijection in which each bit of the result depends on every bit of the input (lowbias32, by Chris Wellons). */
function scramble(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
