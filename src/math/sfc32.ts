// sfc32 of Chris Doty-Humphrey's PractRand 0.95: three words that are mixed, and one that counts. The counter is why
// streams cannot meet: two states that were seeded differently differ for as long as their counters have not gone
// round, 2^32 draws, as a step is a bijection and equal counters mean equally many steps.
import { badValue } from "../errors/index.js";

/** The next 32 bits, as a number from 0 to 2^32 - 1. The state is words[at] to words[at + 3]. */
export function next(words: Uint32Array, at: number): number {
  const a = words[at]! | 0;
  const b = words[at + 1]! | 0;
  const c = words[at + 2]! | 0;
  const counter = words[at + 3]! | 0;
  if (counter === 0 && (a | b | c) === 0) refuseUnseeded();
  const result = (a + b + counter) | 0;
  words[at] = b ^ (b >>> 9);
  words[at + 1] = c + (c << 3);
  words[at + 2] = ((c << 21) | (c >>> 11)) + result;
  words[at + 3] = counter + 1;
  return result >>> 0;
}

/** Seeds by three words, and takes so many steps that each of their bits has changed every other: 12 if a is 0, else 15. */
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

/** Nobody seeded it, or the memory that it lay in has moved. */
export function refuseUnseeded(): never {
  badValue("Random: state", "seeded before its first draw", [0, 0, 0, 0], "random(words).seed(1)");
}
