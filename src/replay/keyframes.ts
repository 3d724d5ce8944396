import { isFault, knownChunk, type Chunk } from "./chunk.js";
import { readKeyframe, type Keyframe } from "./keyframe.js";
import { NumberList } from "./number-list.js";

/** The keyframes of a file, in order of their ticks. Only ticks and offsets are kept; the rest is read on demand. */
export class Keyframes {
  readonly #bytes: Uint8Array;
  readonly #ticks = new NumberList();
  readonly #offsets = new NumberList();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#ticks.length;
  }
  /** The tick of the last keyframe; undefined if there is none. */
  get last(): number | undefined {
    return this.length > 0 ? this.#ticks.at(this.length - 1) : undefined;
  }

  /** Adds a valid chunk. */
  add(tick: number, { at }: Chunk): void {
    this.#ticks.push(tick);
    this.#offsets.push(at);
  }

  /** Drops the keyframes after `tick`. */
  dropAfter(tick: number): void {
    const count = this.#ticks.countUpTo(tick);
    this.#ticks.truncate(count);
    this.#offsets.truncate(count);
  }

  at(index: number): Keyframe | undefined {
    if (!(index >= 0 && index < this.length)) return undefined;
    const frame = readKeyframe(this.#bytes, knownChunk(this.#bytes, this.#offsets.at(index)));
    // Cannot happen: the chunk was valid when it was added, and these bytes never change.
    if (isFault(frame)) throw new Error(frame.message);
    return frame;
  }

  /** The tick of a keyframe; NaN after the last one. */
  tickOf(index: number): number {
    return index < this.length ? this.#ticks.at(index) : NaN;
  }

  /** The index of the last keyframe at a tick or before it; -1 if there is none. */
  indexBefore(tick: number): number {
    return this.#ticks.countUpTo(tick) - 1;
  }
}
