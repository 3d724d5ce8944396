// sfc32 from Chris Doty-Humphrey's PractRand 0.95: three words that are mixed, and a counter. Because of the counter,
// streams cannot merge: a step is a bijection, and equal counters mean equally many steps, so two states with different
// seeds stay different until the counter wraps after 2^32 draws.
import { misuse } from "../errors/index.js";

/** Draws 32 bits, as a number from 0 to 2^32 - 1. The state is words[at] to words[at + 3]. */
export function next(words: Uint32Array, at: number): number {
  const a = words[at]! | 0;
  const b = words[at + 1]! | 0;
  const c = words[at + 2]! | 0;
  const counter = words[at + 3]! | 0;
  if (counter === 0 && (a | b | c) === 0) rejectUnseeded();
  const result = (a + b + counter) | 0;
  words[at] = b ^ (b >>> 9);
  words[at + 1] = c + (c << 3);
  words[at + 2] = ((c << 21) | (c >>> 11)) + result;
  words[at + 3] = counter + 1;
  return result >>> 0;
}

/**
 * Seeds with three words, then steps until each of their bits has affected every other: 12 steps if a is 0, else 15.
 */
export function seedWords(
  words: Uint32Array,
  at: number,
  a: number,
  b: number,
  c: number,
  steps: number,
): void {
  words[at] = a;
  words[at + 1] = b;
  words[at + 2] = c;
  words[at + 3] = 1;
  for (let i = 0; i < steps; i++) next(words, at);
}

/** Throws for a state of zeros: it was never seeded, or its memory was detached. */
export function rejectUnseeded(): never {
  misuse("not-ready", "Random", "not seeded", "Call seed(1) before the first draw");
}
