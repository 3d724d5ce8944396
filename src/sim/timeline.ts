import type { EffectFields } from "./effects.js";
import type { InputFields } from "./input-fields.js";
import type { Fields } from "../state/index.js";
import { refuse } from "../time/index.js";
import type { Outsides } from "./outside.js";
import type { Run } from "./run.js";

/**
 * The past of a run: a snapshot every few ticks, the keyframes, and the inputs of all ticks between. A state between two
 * keyframes is simulated anew, with its whole segment: so going back costs no more than going forward.
 */
export class Timeline<S extends Fields, I extends InputFields, E extends EffectFields, O extends Outsides> {
  readonly #run: Run<S, I, E, O>;
  /** Ticks from a keyframe to the next. */
  readonly #every: number;
  readonly #keyframes: number;
  /** The snapshots of the run that are the timeline's: keyframes, then the states of a segment. */
  readonly #slot: number;
  readonly #inputs: Uint32Array;
  #start = 0;
  #oldest = 0;
  #newest = 0;
  #last = 0;
  /** The keyframe whose segment is unfolded, and the tick up to which it is. */
  #segment = -1;
  #unfolded = -1;

  /** Snapshots that it takes. */
  static slots(keyframes: number, every: number): number {
    return keyframes + every + 1;
  }

  constructor(run: Run<S, I, E, O>, slot: number, keyframes: number, every: number) {
    this.#run = run;
    this.#slot = slot;
    this.#keyframes = keyframes;
    this.#every = every;
    this.#inputs = new Uint32Array(keyframes * every * run.words.length);
    this.restart();
  }

  /** The oldest state that it has. */
  get first(): number {
    return this.#start + this.#oldest * this.#every;
  }
  /** The newest one. */
  get last(): number {
    return this.#last;
  }

  /** Begins here: what was before is forgotten. */
  restart(): void {
    this.#start = this.#last = this.#run.tick;
    this.#oldest = this.#newest = 0;
    this.#segment = -1;
    this.#run.save(this.#slot);
  }

  /** The run is about to step with its words: from here on, what was known is another future. */
  record(): void {
    const { tick, words } = this.#run;
    const since = tick - this.#start;
    const key = Math.floor(since / this.#every);
    if (since % this.#every === 0 && key > 0) {
      this.#run.save(this.#slot + (key % this.#keyframes));
      this.#oldest = Math.max(this.#oldest, key - this.#keyframes + 1);
    }
    this.#newest = key;
    this.#inputs.set(words, this.#at(tick));
    this.#last = tick + 1;
    if (this.#unfolded > tick) this.#segment = -1;
  }

  /** The step that was recorded did not happen. */
  unrecord(): void {
    this.#last = this.#run.tick;
  }

  /** Whether a state's snapshot is there already: then the run's own world is not touched. */
  has(tick: number): boolean {
    return this.#segment === this.#keyOf(tick) && this.#unfolded >= Math.min(tick + 1, this.#last);
  }

  /**
   * The snapshot that holds a state; the next state, if there is one, lies in the snapshot behind it. The run's own world
   * is lost by it, unless it has the state.
   */
  slotOf(tick: number): number {
    this.require("Timeline", tick);
    const key = this.#keyOf(tick);
    const from = this.#start + key * this.#every;
    const slot = this.#slot + this.#keyframes;
    if (!this.has(tick)) {
      const run = this.#run;
      run.load(this.#slot + (key % this.#keyframes));
      const end = Math.min(from + this.#every, this.#last);
      for (let at = from; ; at++) {
        run.save(slot + at - from);
        if (at >= end) break;
        run.words.set(this.wordsOf(at));
        run.step();
      }
      this.#segment = key;
      this.#unfolded = end;
    }
    return slot + tick - from;
  }

  /** The keyframe from which a state is unfolded. */
  #keyOf(tick: number): number {
    return Math.min(Math.floor((tick - this.#start) / this.#every), this.#newest);
  }

  /** What all players did in a tick. */
  wordsOf(tick: number): Uint32Array {
    const at = this.#at(tick);
    return this.#inputs.subarray(at, at + this.#run.words.length);
  }

  require(call: string, tick: number): void {
    if (!(Number.isSafeInteger(tick) && tick >= this.first && tick <= this.last))
      refuse(`${call}: tick`, `a whole number from ${this.first} to ${this.last}`, tick, "a longer history");
  }

  #at(tick: number): number {
    return ((tick - this.#start) % (this.#keyframes * this.#every)) * this.#run.words.length;
  }
}
