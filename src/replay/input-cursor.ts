import { Changes } from "./changes.js";
import type { InputChunks } from "./input-chunks.js";

/** Reads the inputs tick by tick. Moving forward is cheap; moving back reads a chunk again from its beginning. */
export class InputCursor {
  readonly words: Uint32Array;
  /** The first tick at which the words may change again. */
  until = -1;
  readonly #chunks: InputChunks;
  readonly #changes: Changes;
  /** The first tick after the open chunk; -1 if none is open. */
  #to = -1;
  #tick = 0;
  #hasNext = false;

  constructor(bytes: Uint8Array, chunks: InputChunks, width: number) {
    this.words = new Uint32Array(width);
    this.#chunks = chunks;
    this.#changes = new Changes(bytes, width);
  }

  /** Sets `words` to the inputs of a recorded tick. */
  seek(tick: number): void {
    if (tick < this.#tick || tick >= this.#to) this.#open(this.#chunks.indexOf(tick));
    else if (tick < this.until) {
      this.#tick = tick;
      return;
    }
    const changes = this.#changes;
    while (this.#hasNext && changes.tick <= tick) {
      this.words[changes.word]! ^= changes.change;
      this.#hasNext = changes.next();
    }
    this.#tick = tick;
    this.until = this.#hasNext ? Math.min(changes.tick, this.#to) : this.#to;
  }

  #open(index: number): void {
    const chunk = this.#chunks.at(index);
    this.#to = chunk.to;
    this.words.fill(0);
    this.#changes.open(chunk);
    this.#hasNext = this.#changes.next();
  }
}
