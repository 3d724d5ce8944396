import { fault, type Chunk, type Fault } from "./chunk.js";
import { ByteReader } from "./varint.js";

/** Hashes of states, in order of their ticks. */
export class Checkpoints {
  readonly ticks: number[] = [];
  /** The two words of each; only the first is known of those that have 4 bytes, and the second is -1. */
  readonly #words: number[] = [];

  /** Takes in the hashes of a chunk; none may be of a state before `start` or after `end`. */
  add(bytes: Uint8Array, { at, from, to }: Chunk, start: number, end: number): Fault | undefined {
    const reader = new ByteReader(bytes, from, to);
    const first = reader.varint();
    const every = reader.varint();
    const width = reader.byte();
    if (first < 0 || every < 1 || (width !== 4 && width !== 8) || reader.left % width !== 0)
      return fault("damaged", at, "CHEK without first tick, distance and size, or with a part of a hash");
    const count = reader.left / width;
    if (first <= (this.ticks.at(-1) ?? start - 1) || !(first + (count - 1) * every <= end))
      return fault("damaged", at, "CHEK of states that are not next");
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let i = 0; i < count; i++) {
      const place = reader.at + i * width;
      this.ticks.push(first + i * every);
      this.#words.push(view.getUint32(place, true), width === 8 ? view.getUint32(place + 4, true) : -1);
    }
    return undefined;
  }

  /** Forgets those of later states. */
  cut(tick: number): void {
    while (this.ticks.length > 0 && this.ticks.at(-1)! > tick) this.ticks.pop();
    this.#words.length = 2 * this.ticks.length;
  }

  /** Whether a hash is that of a checkpoint. */
  agrees(index: number, hash: readonly [number, number]): boolean {
    const second = this.#words[2 * index + 1]!;
    return this.#words[2 * index] === hash[0] && (second === -1 || second === hash[1]);
  }

  /** The words of one; the second is -1 if only 4 bytes of it were recorded. */
  wordsOf(index: number): readonly [number, number] {
    return [this.#words[2 * index]!, this.#words[2 * index + 1]!];
  }

  /** The first one at a state or after it. */
  from(tick: number): number {
    const { ticks } = this;
    let low = 0;
    let high = ticks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ticks[middle]! < tick) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
