import { knownChunk, type Chunk } from "./chunk.js";
import { NumberList } from "./number-list.js";
import { ByteReader } from "./varint.js";

/** An input chunk: its ticks, and the offsets of the start and the end of its changes. */
export interface InputChunk {
  readonly from: number;
  /** The first tick after it; earlier than in the file if the recording went back. */
  readonly to: number;
  readonly at: number;
  readonly end: number;
}

/** The input chunks of a file. Each begins at the tick where the previous one ends, so only first ticks and offsets are kept. */
export class InputChunks {
  /** The first tick after the last chunk. */
  end = 0;
  readonly #bytes: Uint8Array;
  readonly #firsts = new NumberList();
  readonly #offsets = new NumberList();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#firsts.length;
  }

  /** Adds a valid chunk, with the ticks from `end` to `to`. */
  add({ at }: Chunk, to: number): void {
    this.#firsts.push(this.end);
    this.#offsets.push(at);
    this.end = to;
  }

  /** Drops all ticks from `tick` on. */
  dropFrom(tick: number): void {
    const count = this.#firsts.countUpTo(tick - 1);
    this.#firsts.truncate(count);
    this.#offsets.truncate(count);
    this.end = tick;
  }

  at(index: number): InputChunk {
    const body = knownChunk(this.#bytes, this.#offsets.at(index));
    const reader = new ByteReader(this.#bytes, body.from, body.to);
    const from = reader.varint();
    reader.varint();
    const to = index + 1 < this.length ? this.#firsts.at(index + 1) : this.end;
    return { from, to, at: reader.at, end: reader.end };
  }

  /** The index of the chunk that holds a tick. */
  indexOf(tick: number): number {
    return this.#firsts.countUpTo(tick) - 1;
  }
}
