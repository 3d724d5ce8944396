import { badValue } from "../errors/index.js";
import { NO_COMMANDS } from "./commands.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";
import { SnapshotRing } from "./snapshot-ring.js";
import { StepLog } from "./step-log.js";

export interface TimelineSize {
  readonly keyframes: number;
  /** Ticks from one keyframe to the next. */
  readonly every: number;
}

/**
 * The past of a run: a snapshot every few ticks, called keyframes, and the inputs and commands of all ticks. A state between two keyframes is
 * resimulated together with its whole segment, so that rewinding costs no more than playing forward. Two segments are kept, as
 * a picture may blend across their border.
 */
export class Timeline {
  readonly #run: Run;
  readonly #every: number;
  readonly #capacity: number;
  readonly #keyframes: SnapshotRing;
  readonly #log: StepLog;
  /** Resimulated states from one keyframe to the next. The segment that was used last comes first. */
  #segments: [SnapshotRing, SnapshotRing];
  /** The tick of the first keyframe since the last restart. */
  #start = 0;
  /** The oldest and the newest keyframe, by tick. */
  #oldest = 0;
  #newest = 0;
  #last = 0;

  /** Returns how many of the run's snapshots a timeline needs. */
  static snapshots({ keyframes, every }: TimelineSize): number {
    return keyframes + 2 * (every + 1);
  }

  constructor(
    run: Run,
    simulation: AnySimulation,
    firstSnapshot: number,
    { keyframes, every }: TimelineSize,
  ) {
    const firstSegment = firstSnapshot + keyframes;
    this.#run = run;
    this.#every = every;
    this.#capacity = keyframes;
    this.#keyframes = new SnapshotRing(run, firstSnapshot, keyframes, every);
    this.#log = new StepLog(simulation, keyframes * every);
    this.#segments = [
      new SnapshotRing(run, firstSegment, every + 1),
      new SnapshotRing(run, firstSegment + every + 1, every + 1),
    ];
    this.restart();
  }

  /** The oldest state that can be reached. */
  get first(): number {
    return this.#oldest;
  }
  /** The newest state that can be reached. */
  get last(): number {
    return this.#last;
  }

  /** Forgets the past: the history begins with the current state. */
  restart(): void {
    const { tick } = this.#run;
    this.#start = this.#oldest = this.#newest = this.#last = tick;
    for (const ring of [this.#keyframes, ...this.#segments]) ring.clear(tick);
    this.#keyframes.save();
  }

  /** Saves the current state if a keyframe is due. Call it before each step. */
  beforeStep(): void {
    const { tick } = this.#run;
    if ((tick - this.#start) % this.#every !== 0 || tick <= this.#newest) return;
    this.#keyframes.save();
    this.#newest = tick;
    this.#oldest = Math.max(this.#oldest, tick - (this.#capacity - 1) * this.#every);
  }

  /** Logs the inputs and commands of the step that the run has just taken. Drops what was known of later ticks. */
  afterStep(): void {
    const { tick: last } = this.#run;
    const tick = last - 1;
    this.#newest = this.#keyframeBefore(tick);
    this.#log.write(tick, this.#run);
    this.#last = last;
    for (let i = 0; i < 2; i++) if (this.#segments[i]!.newest > tick) this.#segments[i]!.dropAfter(tick);
  }

  /**
   * Returns a ring that holds the state of a tick, and the next state if there is one. Resimulates them if needed, which
   * overwrites the run's current state, unless a `spare` snapshot is given to keep it in meanwhile.
   */
  ringAt(tick: number, spare?: number): SnapshotRing {
    this.require("Timeline", tick);
    const next = Math.min(tick + 1, this.#last);
    const [newer, older] = this.#segments;
    if (newer.has(tick) && newer.has(next)) return newer;
    this.#segments = [older, newer];
    if (older.has(tick) && older.has(next)) return older;
    if (spare !== undefined) this.#run.save(spare);
    try {
      this.#resimulate(older, Math.min(this.#keyframeBefore(tick), this.#newest));
    } finally {
      if (spare !== undefined) this.#run.load(spare);
    }
    return older;
  }

  /** Fills a segment with the states from a keyframe to the next one. */
  #resimulate(segment: SnapshotRing, keyframe: number): void {
    const run = this.#run;
    const end = Math.min(keyframe + this.#every, this.#last);
    segment.clear(keyframe);
    this.#keyframes.load(keyframe);
    for (;;) {
      segment.save();
      if (run.tick >= end) break;
      this.#log.read(run.tick, run);
      run.step();
    }
    run.commands = NO_COMMANDS;
  }

  #keyframeBefore(tick: number): number {
    return tick - ((tick - this.#start) % this.#every);
  }

  /** Throws unless the tick is within the history. */
  require(call: string, tick: number): void {
    if (!(Number.isSafeInteger(tick) && tick >= this.first && tick <= this.last))
      badValue(
        `${call}: tick`,
        `a whole number from ${this.first} to ${this.last}`,
        tick,
        Number.isFinite(tick) && tick >= 0 && tick < this.first ? "a longer history" : `${this.last}`,
      );
  }
}
