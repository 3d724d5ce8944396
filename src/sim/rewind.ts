import type { Run } from "./run.js";
import type { Timeline } from "./timeline.js";

/** Going back in time: how fast, and where the picture is, which may lie between two states. */
export class Rewind {
  readonly #run: Run;
  readonly #timeline: Timeline;
  /** How many ticks go back in a move; 0 while it goes forward. */
  #speed = 0;
  /** Where the last move came to, and the one before. */
  #cursor = 0;
  #cursorBefore = 0;
  /** Where it began to go back at this speed, and how many times it has moved since. */
  #origin = 0;
  #moves = 0;

  constructor(run: Run, timeline: Timeline) {
    this.#run = run;
    this.#timeline = timeline;
  }

  get isOn(): boolean {
    return this.#speed > 0;
  }

  /** Goes back from now on, by so many ticks in each move. */
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

  /** Where the next move comes to. */
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

  /** Writes into the snapshot `out` what the picture shows, between the last two moves; `spare` may be overwritten. */
  show(out: number, spare: number, alpha: number, dt: number): void {
    const timeline = this.#timeline;
    const at = this.#cursorBefore + (this.#cursor - this.#cursorBefore) * alpha;
    const tick = Math.floor(at);
    const snapshot = timeline.snapshotOf(tick, spare);
    this.#run.state.blend(out, snapshot, tick < timeline.last ? snapshot + 1 : snapshot, at - tick, dt);
  }
}
