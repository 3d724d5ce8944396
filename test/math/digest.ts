import type { Call } from "./functions.js";
import { Mulberry32 } from "./mulberry32.js";
import { USUAL_ARGUMENTS } from "./usual-arguments.js";

/** Returns the digest of `count` results of a function, for typical arguments. */
export function digestOf(name: string, call: Call, count: number): string {
  const numbers = new Mulberry32(1);
  const digest = new Digest();
  for (let i = 0; i < count; i++) digest.add(call(...USUAL_ARGUMENTS[name]!(numbers)));
  return digest.text();
}

/** A 64-bit digest of a sequence of numbers. It changes with any bit. */
export class Digest {
  readonly #bits = new DataView(new ArrayBuffer(8));
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(x: number): void {
    // The bits of NaN depend on the engine, so a constant replaces it.
    this.#bits.setFloat64(0, x === x ? x : 0.123456789);
    const a = Math.imul(rotate(this.#a, 13) ^ this.#bits.getUint32(0), 0xcc9e2d51);
    this.#b = Math.imul(rotate(this.#b, 17) ^ this.#bits.getUint32(4) ^ a, 0x1b873593);
    this.#a = a ^ (this.#b >>> 15);
  }

  /** The digest so far, in hexadecimal. */
  text(): string {
    return [this.#a, this.#b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
