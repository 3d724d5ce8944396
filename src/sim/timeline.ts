import { badValue } from "../errors/index.js";
import type { Run } from "./run.js";

export interface TimelineSize {
  readonly keyframes: number;
  /** Ticks from a keyframe to the next. */
  readonly every: number;
}

/** A stretch from a keyframe to the next, all of whose states have been simulated anew. */
interface Segment {
  /** Its first snapshot. */
  readonly snapshot: number;
  /** The number of its keyframe; -1 if it holds nothing. */
  key: number;
  /** The tick up to which it has states. */
  end: number;
}

/**
 * The past of a run: a snapshot every few ticks, the keyframes, and the inputs of all ticks between. A state between two
 * keyframes is simulated anew, with its whole segment: so going back costs no more than going forward. Two segments are
 * kept, as a picture may lie between them.
 */
export class Timeline {
  readonly #run: Run;
  readonly #every: number;
  readonly #keyframes: number;
  /** The first of the run's snapshots that are the timeline's: keyframes, then the states of two segments. */
  readonly #snapshot: number;
  readonly #inputs: Uint32Array;
  /** The tick of keyframe 0. */
  #start = 0;
  /** The oldest and the newest keyframe that there are, by their numbers. */
  #oldest = 0;
  #newest = 0;
  #last = 0;
  /** The one that was used last comes first. */
  #segments: [Segment, Segment];

  /** Snapshots that it takes. */
  static snapshots({ keyframes, every }: TimelineSize): number {
    return keyframes + 2 * (every + 1);
  }

  constructor(run: Run, snapshot: number, { keyframes, every }: TimelineSize) {
    this.#run = run;
    this.#snapshot = snapshot;
    this.#keyframes = keyframes;
    this.#every = every;
    this.#inputs = new Uint32Array(keyframes * every * run.words.length);
    this.#segments = [
      { snapshot: snapshot + keyframes, key: -1, end: -1 },
      { snapshot: snapshot + keyframes + every + 1, key: -1, end: -1 },
    ];
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
    for (const segment of this.#segments) segment.key = -1;
    this.#run.save(this.#snapshot);
  }

  /** The run is about to step from here: its state is kept, if it is a new keyframe's. */
  keep(): void {
    const since = this.#run.tick - this.#start;
    const key = since / this.#every;
    if (since % this.#every !== 0 || key <= this.#newest) return;
    this.#run.save(this.#snapshot + (key % this.#keyframes));
    this.#oldest = Math.max(this.#oldest, key - this.#keyframes + 1);
    this.#newest = key;
  }

  /** The run has stepped with its words: from here on, what was known is another future. */
  record(): void {
    const { tick: last, words } = this.#run;
    const tick = last - 1;
    this.#newest = Math.floor((tick - this.#start) / this.#every);
    this.#inputs.set(words, this.#at(tick));
    this.#last = last;
    for (let i = 0; i < 2; i++) if (this.#segments[i]!.end > tick) this.#segments[i]!.key = -1;
  }

  /**
   * The snapshot that holds a state; the next one holds the next state, if there is one. The run's own world may be lost
   * by it, unless there is a `spare` snapshot to keep it in.
   */
  snapshotOf(tick: number, spare?: number): number {
    this.require("Timeline", tick);
    const key = this.#keyOf(tick);
    const from = this.#start + key * this.#every;
    const [newer, older] = this.#segments;
    if (newer.key !== key) this.#segments = [older, newer];
    const segment = this.#segments[0];
    if (!this.#holds(segment, key, tick)) {
      if (spare !== undefined) this.#run.save(spare);
      try {
        this.#unfold(segment, key, from);
      } finally {
        if (spare !== undefined) this.#run.load(spare);
      }
    }
    return segment.snapshot + tick - from;
  }

  #holds(segment: Segment, key: number, tick: number): boolean {
    return segment.key === key && segment.end >= Math.min(tick + 1, this.#last);
  }

  #keyOf(tick: number): number {
    return Math.min(Math.floor((tick - this.#start) / this.#every), this.#newest);
  }

  #unfold(segment: Segment, key: number, from: number): void {
    const run = this.#run;
    // Until all of it is there: a step may fail.
    segment.key = -1;
    run.load(this.#snapshot + (key % this.#keyframes));
    const end = Math.min(from + this.#every, this.#last);
    for (let tick = from; ; tick++) {
      run.save(segment.snapshot + tick - from);
      if (tick >= end) break;
      run.words.set(this.wordsOf(tick));
      run.step();
    }
    segment.key = key;
    segment.end = end;
  }

  /** What all players did in a tick. */
  wordsOf(tick: number): Uint32Array {
    const at = this.#at(tick);
    return this.#inputs.subarray(at, at + this.#run.words.length);
  }

  require(call: string, tick: number): void {
    if (!(Number.isSafeInteger(tick) && tick >= this.first && tick <= this.last))
      badValue(
        `${call}: tick`,
        `a whole number from ${this.first} to ${this.last}`,
        tick,
        tick < this.first ? "a longer history" : `${this.last}`,
      );
  }

  #at(tick: number): number {
    return ((tick - this.#start) % (this.#keyframes * this.#every)) * this.#run.words.length;
  }
}
