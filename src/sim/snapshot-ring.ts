import type { Run } from "./run.js";

const EMPTY = -1;

/** Keeps states of a run by tick, in a range of the run's snapshots. A new state replaces the oldest one. */
export class SnapshotRing {
  readonly #run: Run;
  /** The first of the run's snapshots that belong to this ring. */
  readonly #firstSnapshot: number;
  readonly #stride: number;
  /** The tick that each slot holds. */
  readonly #ticks: Float64Array;
  #origin = 0;
  #newest = EMPTY;

  /** Holds `size` states, of every `stride`-th tick. */
  constructor(run: Run, firstSnapshot: number, size: number, stride = 1) {
    this.#run = run;
    this.#firstSnapshot = firstSnapshot;
    this.#stride = stride;
    this.#ticks = new Float64Array(size).fill(EMPTY);
  }

  /** The newest tick that was saved and not dropped; -1 if there is none. */
  get newest(): number {
    return this.#newest;
  }

  /** Forgets all states. Strides are counted from `origin` on. */
  clear(origin = 0): void {
    this.#ticks.fill(EMPTY);
    this.#origin = origin;
    this.#newest = EMPTY;
  }

  /** Saves the run's current state under its tick. */
  save(): void {
    const { tick } = this.#run;
    const slot = this.#slotOf(tick);
    this.#run.save(this.#firstSnapshot + slot);
    this.#ticks[slot] = tick;
    this.#newest = Math.max(this.#newest, tick);
  }

  has(tick: number): boolean {
    return this.#ticks[this.#slotOf(tick)] === tick;
  }

  /** Returns the newest held tick that is `tick` or before it, to resimulate from; -1 if there is none. */
  nearest(tick: number): number {
    const ticks = this.#ticks;
    let nearest = EMPTY;
    for (let slot = 0; slot < ticks.length; slot++)
      if (ticks[slot]! <= tick && ticks[slot]! > nearest) nearest = ticks[slot]!;
    return nearest;
  }

  /** The run's snapshot that holds the state of a tick, for `state.blend`, `state.diff` and the like. */
  at(tick: number): number {
    if (!this.has(tick)) throw new Error(`no snapshot of tick ${tick}`);
    return this.#firstSnapshot + this.#slotOf(tick);
  }

  /** Loads the state of a tick into the run. */
  load(tick: number): void {
    this.#run.load(this.at(tick));
  }

  /** Calls `read` while the run is in the state of a tick. Keeps the current state in the snapshot `spare` meanwhile. */
  read<T>(tick: number, spare: number, read: () => T): T {
    if (tick === this.#run.tick) return read();
    this.#run.save(spare);
    try {
      this.load(tick);
      return read();
    } finally {
      this.#run.load(spare);
    }
  }

  /** Forgets the states after a tick, as the run takes another course from there. */
  dropAfter(tick: number): void {
    const ticks = this.#ticks;
    for (let slot = 0; slot < ticks.length; slot++) if (ticks[slot]! > tick) ticks[slot] = EMPTY;
    this.#newest = this.nearest(tick);
  }

  #slotOf(tick: number): number {
    return Math.floor((tick - this.#origin) / this.#stride) % this.#ticks.length;
  }
}
