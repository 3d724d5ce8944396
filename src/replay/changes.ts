import { KINDS, SEVERAL } from "./format.js";
import type { InputChunk } from "./input-chunks.js";
import { ByteReader } from "./varint.js";

/** Reads the changes of an input chunk, one by one. */
export class Changes {
  /** The last change that was read: its tick, the index of the word, and the bits that flip. */
  tick = 0;
  word = 0;
  change = 0;
  readonly #width: number;
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array, width: number) {
    this.#reader = new ByteReader(bytes, 0, 0);
    this.#width = width;
  }

  /** The offset of the next byte. */
  get at(): number {
    return this.#reader.at;
  }

  open({ from, at, end }: InputChunk): void {
    this.#reader.at = at;
    this.#reader.end = end;
    this.tick = from;
  }

  /** Reads the next change. Returns false after the last one, and for one that is invalid. */
  next(): boolean {
    const reader = this.#reader;
    const code = reader.varint();
    if (code < 0 || this.#width === 0) return false;
    const kind = code % KINDS;
    const gapAndWord = (code - kind) / KINDS;
    this.word = gapAndWord % this.#width;
    this.tick += (gapAndWord - this.word) / this.#width;
    if (kind !== SEVERAL) {
      const byte = reader.byte();
      this.change = byte << (8 * kind);
      return byte > 0;
    }
    const mask = reader.byte();
    this.change = 0;
    for (let i = 0; i < 4; i++) {
      if (!((mask >>> i) & 1)) continue;
      const byte = reader.byte();
      if (byte <= 0) return false;
      this.change |= byte << (8 * i);
    }
    return mask > 0 && mask < 16;
  }

  /** Whether every change of a chunk is valid, and within its ticks. */
  areValid(chunk: InputChunk): boolean {
    this.open(chunk);
    while (this.at < chunk.end) if (!this.next() || this.tick >= chunk.to) return false;
    return true;
  }
}
