import { SECOND, type Span } from "../time/index.js";
import { Monitors, type MonitorValue } from "./monitors.js";
import { dataOf, tableOf, type FiguresData } from "./stats-text.js";
import {
  DROPPED,
  GAIN,
  IRREGULAR,
  JUDDER,
  LOST,
  MANY,
  MORE_STEPS,
  MOVE_ERROR,
  OVERLOADS,
  RENDER_COST,
  STEP_COST,
  WITHOUT_TIME,
} from "./tally-fields.js";
import type { Tally } from "./tally.js";

/** Measurements over all frames since the start or the last reset, or over the last 128 to 256 frames. */
export class Figures {
  readonly #tally: Tally;
  readonly #step: { readonly dt: number };
  /** The exact sum of lost time; undefined for recent figures. */
  readonly #lost: Span | undefined;

  /** @internal Created by the loop: `loop.stats`. */
  constructor(tally: Tally, step: { readonly dt: number }, lost?: Span) {
    this.#tally = tally;
    this.#step = step;
    this.#lost = lost;
  }

  #sum(field: number): number {
    return this.#tally.sum(field, !this.#lost);
  }

  get #real(): number {
    return this.#tally.real(!this.#lost);
  }

  #meanCost(field: number): number {
    return this.#sum(field) / (this.#sum(field + 1) || 1) / 1e3;
  }

  #rms(field: number): number {
    return Math.sqrt(this.#sum(field) / (this.#sum(field + 1) || 1));
  }

  /** Number of frames. */
  get frames(): number {
    let frames = 0;
    for (let steps = 0; steps <= MANY; steps++) frames += this.#sum(steps);
    return frames;
  }
  /** Number of steps. */
  get steps(): number {
    let count = this.#sum(MORE_STEPS);
    for (let steps = 1; steps <= MANY; steps++) count += steps * this.#sum(steps);
    return count;
  }
  /** Returns the number of frames that ran `steps` steps, from 0 to 8; 8 stands for 8 or more. */
  framesWith(steps: number): number {
    return steps <= MANY ? this.#sum(steps) || 0 : 0;
  }
  /** Mean real seconds per frame. */
  get frameTime(): number {
    return this.#real / (this.frames || 1) / SECOND;
  }
  /** Frames whose elapsed time was zero or negative. */
  get framesWithoutTime(): number {
    return this.#sum(WITHOUT_TIME);
  }
  /** Mean cost of a step with its beats and listeners, in seconds; 0 unless costs are measured. */
  get stepCost(): number {
    return this.#meanCost(STEP_COST);
  }
  /** Mean cost of drawing a frame, in seconds; 0 unless costs are measured. */
  get renderCost(): number {
    return this.#meanCost(RENDER_COST);
  }
  /** Cost of a step divided by `dt`: above 1, a step takes longer than the time it simulates. */
  get load(): number {
    return this.stepCost / this.#step.dt;
  }
  /** Seconds of virtual time thrown away. */
  get lostSeconds(): number {
    return this.#lost ? this.#lost.seconds : this.#sum(LOST) / SECOND;
  }
  /** Frames that could not simulate all their time. */
  get overloads(): number {
    return this.#sum(OVERLOADS);
  }
  /** Refreshes of the display without a new frame: they showed the previous picture again. */
  get droppedFrames(): number {
    return this.#sum(DROPPED);
  }
  /** Frames with more or fewer steps than the others, if steps and refreshes are nearly in a whole ratio. */
  get irregularFrames(): number {
    return this.#sum(IRREGULAR);
  }
  /**
   * How unevenly the picture moved: the RMS error of the move of each refresh, relative to what a refresh should show. A
   * refresh without a new frame did not move at all.
   */
  get judder(): number {
    return this.#rms(JUDDER);
  }
  /** The same for the worst refresh. */
  get worstJudder(): number {
    return this.#tally.worst(!this.#lost);
  }
  /** RMS error of each frame's move, in refreshes: judder without the effect of dropped frames. */
  get moveError(): number {
    return this.#rms(MOVE_ERROR);
  }
  /** Simulated seconds per real second: the time scale, less lost and paused time. */
  get effectiveSpeed(): number {
    return 1 + this.#sum(GAIN) / (this.#real || 1);
  }

  /** Returns all figures as plain data, for `JSON.stringify`. */
  toJSON(): FiguresData {
    return dataOf(this);
  }

  /** Returns a table of all figures, as text. */
  toString(): string {
    return tableOf({ [this.#lost ? "all" : "recent"]: this });
  }
}

/** The figures of a loop as plain data: totals, recent figures, and what its monitors show. */
export type LoopStatsData = FiguresData & {
  readonly recent: FiguresData;
  readonly monitors: Readonly<Record<string, MonitorValue>>;
};

/** Measurements of the loop: totals since the start or the last reset, and recent figures. */
export class LoopStats extends Figures {
  /** The same figures over the last 128 to 256 frames. */
  readonly recent: Figures;

  readonly #monitors: Monitors;

  /** @internal Created by the loop: `loop.stats`. */
  constructor(tally: Tally, step: { readonly dt: number }, lost: Span, monitors = new Monitors()) {
    super(tally, step, lost);
    this.recent = new Figures(tally, step);
    this.#monitors = monitors;
  }

  /** What the monitors of the loop show now, by name: see `Loop.monitor`. */
  get monitors(): Record<string, MonitorValue> {
    return this.#monitors.values;
  }

  /** Returns all figures as plain data, for `JSON.stringify`. */
  override toJSON(): LoopStatsData {
    return { ...super.toJSON(), recent: this.recent.toJSON(), monitors: this.monitors };
  }

  /** Returns a table of all figures, total and recent, and of the monitors. */
  override toString(): string {
    return tableOf({ all: this, recent: this.recent }, this.monitors);
  }
}
