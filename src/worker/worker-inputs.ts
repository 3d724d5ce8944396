import {
  inputLatch,
  type InputLatch,
  type InputRequest,
  type InputSource,
  type Packing,
} from "../input/index.js";
import type { AnySimulation } from "../sim/index.js";
import { LATCH_KINDS, type LatchStart, type Start } from "./protocol.js";

/** Changes of words that wait for steps, at most. */
const MAX_WORDS = 4;

/** The inputs of all players in the worker: latches that do what those of the page do, and words that were sampled there. */
export class WorkerInputs implements InputSource {
  readonly allPlayers = true;
  #latches!: readonly (InputLatch | undefined)[];
  readonly #packing: Packing;
  readonly #width: number;
  /** The words of the last step, and those that wait: a step takes one change, so that no short press is lost. */
  #words!: Uint32Array;
  readonly #waiting: Uint32Array[] = [];

  constructor({ packing }: AnySimulation, sources: Pick<Start, "latches" | "words">) {
    this.#packing = packing;
    this.#width = packing.words;
    this.use(sources);
  }

  /** Takes inputs from other sources from now on. */
  use({ latches, words }: Pick<Start, "latches" | "words">): void {
    this.#words = words;
    this.#waiting.length = 0;
    this.#latches = latches.map((start) => start && latchOf(this.#packing, start));
  }

  /** Takes the events of the page's latches, by the worker's clock. */
  takeEvents(events: Float64Array): void {
    for (let i = 0; i + 4 < events.length; i += 5)
      this.#latches[events[i]!]?.take(
        LATCH_KINDS[events[i + 1]!]!,
        events[i + 2]!,
        events[i + 3]!,
        events[i + 4]!,
      );
  }

  /** Takes words that the page has sampled. */
  takeWords(words: Uint32Array): void {
    if (this.#waiting.length >= MAX_WORDS) this.#waiting.shift();
    this.#waiting.push(words);
  }

  sample(words: Uint32Array, offset: number, request: InputRequest): void {
    const next = this.#waiting[0];
    if (next && !request.peek) {
      this.#words = next;
      this.#waiting.shift();
    }
    words.set(next ?? this.#words, offset);
    for (let player = 0; player < this.#latches.length; player++)
      this.#latches[player]?.sample(words, offset + player * this.#width, request);
  }
}

/** Creates a latch that holds what the page's latch holds. */
function latchOf(packing: Packing, { fractions, holders, values }: LatchStart): InputLatch {
  const latch = inputLatch(packing, fractions ? { fractions } : {});
  holders.forEach((count, slot) => {
    for (let i = 0; i < count; i++) latch.take("press", slot, -1, -Infinity);
  });
  values.forEach((bits, slot) => {
    if (bits !== 0) latch.take("set", slot, bits, -Infinity);
  });
  return latch;
}
