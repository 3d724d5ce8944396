import { Changes, type InputChunk } from "./changes.js";

/** What players did, tick by tick. Going on is cheap; going back reads the tick's chunk again from its beginning. */
export class InputCursor {
  readonly words: Uint32Array;
  /** The words are the same up to this tick, which is not included. */
  until = -1;
  readonly #chunks: readonly InputChunk[];
  readonly #changes: Changes;
  #chunk = -1;
  #tick = 0;
  #hasNext = false;

  constructor(bytes: Uint8Array, chunks: readonly InputChunk[], width: number) {
    this.words = new Uint32Array(width);
    this.#chunks = chunks;
    this.#changes = new Changes(bytes, width);
  }

  /** Makes `words` those of a tick that was recorded. */
  seek(tick: number): void {
    const here = this.#chunks[this.#chunk];
    if (!here || tick < this.#tick || tick >= here.to) this.#open(this.#find(tick));
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
    const { to } = this.#chunks[this.#chunk]!;
    this.until = this.#hasNext ? Math.min(changes.tick, to) : to;
  }

  #open(chunk: number): void {
    this.#chunk = chunk;
    this.words.fill(0);
    this.#changes.open(this.#chunks[chunk]!);
    this.#hasNext = this.#changes.next();
  }

  /** The chunk of a tick. */
  #find(tick: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#chunks[middle]!.from <= tick) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
