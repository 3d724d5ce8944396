import type { Run } from "./run.js";
import type { Timeline } from "./timeline.js";

/** Moves a run backwards through its timeline at a speed that may be a fraction, and blends the picture meanwhile. */
export class Rewind {
  readonly #run: Run;
  readonly #timeline: Timeline;
  /** Ticks per move; 0 while the run plays forward. */
  #speed = 0;
  /** Where the last move ended, and the one before, in ticks. */
  #cursor = 0;
  #cursorBefore = 0;
  /** Where the rewind at this speed began, and how many moves it has made since. */
  #origin = 0;
  #moves = 0;

  constructor(run: Run, timeline: Timeline) {
    this.#run = run;
    this.#timeline = timeline;
  }

  get isOn(): boolean {
    return this.#speed > 0;
  }

  /** Begins to rewind, or changes the speed. */
  start(speed: number): void {
    if (this.#speed === 0) this.#cursor = this.#cursorBefore = this.#run.tick;
    if (this.#speed === speed) return;
    this.#origin = this.#cursor;
    this.#moves = 0;
    this.#speed = speed;
  }

  stop(): void {
    this.#speed = 0;
  }

  /** Where the last move ended, in ticks. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Where the next move ends, in ticks. */
  get next(): number {
    // Computed, never summed.
    return Math.max(this.#timeline.first, this.#origin - this.#speed * (this.#moves + 1));
  }

  move(): void {
    const { next } = this;
    this.#cursorBefore = this.#cursor;
    this.#cursor = next;
    this.#moves += 1;
  }

  /** Blends the picture between the last two moves into the snapshot `out`. Overwrites the snapshot `spare`. */
  blend(out: number, spare: number, alpha: number, dt: number): void {
    const shown = this.#cursorBefore + (this.#cursor - this.#cursorBefore) * alpha;
    const tick = Math.floor(shown);
    const next = Math.min(tick + 1, this.#timeline.last);
    const ring = this.#timeline.ringAt(tick, spare);
    this.#run.state.blend(out, ring.at(tick), ring.at(next), shown - tick, dt);
  }
}
