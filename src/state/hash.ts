import { badValue } from "../errors/index.js";

/**
 * The hash of a snapshot: 64 bits, of every bit of it. Block by block of 64 bytes, each of 16 lanes takes in its word:
 *
 *     x = lane ^ word;  lane = (x ^ x >>> 15) * 0x2c1b3c6d;  sum += lane       (mod 2^32; lanes i, i + 4, ... share a sum)
 *
 * For a given lane this is one to one in the word, and for a given word in the lane: so a change of one word is never
 * lost. Changes that cancel in their lane have been in its sum. Any NaN counts as 0x7ff8000000000000 or 0x7fc00000, as
 * engines may store different ones; -0 is not 0. Not for secrets: who wants a collision can make one.
 */
const LANES = 16;
const SUMS = 4;
const FIRST = LANES + SUMS;
const SECOND = FIRST + 1;

/** 64 bits of a state, as two numbers of 32. */
export type Hash = readonly [number, number];

/** A hash as text: 16 hexadecimal digits. */
export function hashText(hash: Hash): string {
  if (typeof hash?.[0] !== "number" || typeof hash[1] !== "number")
    badValue("hashText: hash", "two numbers of 32 bits", hash, "state.hash()");
  return digits(hash[0]) + digits(hash[1]);
}

/** A number of 32 bits as 8 hexadecimal digits. */
export const digits = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

/** Words that a hash works in: lanes, sums, and the two that all end in. */
export const HASH_WORDS = FIRST + 2;

/** Writes the words that a hash begins with: the same bytes as other areas are another snapshot. */
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
 * Makes the digest of what the lanes and sums hold. The first word takes in the lanes alone: no sum can undo what one
 * of them tells. From there on nothing is lost, as each line is one to one.
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

/** One to one; each bit of the result depends on every bit (lowbias32, by Chris Wellons). */
function scramble(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
