import { highWord } from "./bits.js";

/** Returns the k for which x × 2^-k is roughly from √½ to √2, for a positive normal x. */
export function exponentOf(x: number): number {
  // The high word of 1 minus that of √½.
  return ((highWord(x) + 0x95f62) >> 20) - 1023;
}
