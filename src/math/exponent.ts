import { highWord } from "./bits.js";

/** The k for which x × 2^-k lies from √½ to √2, near enough; for x positive and normal. */
export function exponentOf(x: number): number {
  // What the high word of √½ lacks to that of 1.
  return ((highWord(x) + 0x95f62) >> 20) - 1023;
}
