import { SECOND, type Span } from "../time/index.js";
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

/** Figures over some of the frames: all since the start or the last reset, or the last 128 to 256. */
export class Figures {
  readonly #tally: Tally;
  readonly #dt: number;
  /** The exact sum of all lost time; not there for recent figures. */
  readonly #lost: Span | undefined;

  /** @internal A loop makes it: `loop.stats`. */
  constructor(tally: Tally, dt: number, lost?: Span) {
    this.#tally = tally;
    this.#dt = dt;
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

  /** Frames. */
  get frames(): number {
    let frames = 0;
    for (let steps = 0; steps <= MANY; steps++) frames += this.#sum(steps);
    return frames;
  }
  /** Steps. */
  get steps(): number {
    let count = this.#sum(MORE_STEPS);
    for (let steps = 1; steps <= MANY; steps++) count += steps * this.#sum(steps);
    return count;
  }
  /** Frames that ran so many steps, from 0 to 8; 8 stands for 8 or more. */
  framesWith(steps: number): number {
    return steps <= MANY ? this.#sum(steps) || 0 : 0;
  }
  /** Mean real seconds a frame. */
  get frameTime(): number {
    return this.#real / (this.frames || 1) / SECOND;
  }
  /** Frames whose elapsed time was zero or negative, which is no time. */
  get framesWithoutTime(): number {
    return this.#sum(WITHOUT_TIME);
  }
  /** Mean seconds that a step cost, with its beats and listeners; 0 unless costs are measured. */
  get stepCost(): number {
    return this.#meanCost(STEP_COST);
  }
  /** Mean seconds that drawing a frame cost; 0 unless costs are measured. */
  get renderCost(): number {
    return this.#meanCost(RENDER_COST);
  }
  /** Cost of a step over `dt`: from 1 on, a step takes longer than the time it simulates. */
  get load(): number {
    return this.stepCost / this.#dt;
  }
  /** Seconds of virtual time thrown away. */
  get lostSeconds(): number {
    return this.#lost ? this.#lost.seconds : this.#sum(LOST) / SECOND;
  }
  /** Frames that could not simulate all their time. */
  get overloads(): number {
    return this.#sum(OVERLOADS);
  }
  /** Refreshes of the display that had no frame of their own, for any reason, so they showed the previous picture again. */
  get droppedFrames(): number {
    return this.#sum(DROPPED);
  }
  /** Frames with more or fewer steps than the others, where steps and refreshes are nearly in a whole ratio. */
  get irregularFrames(): number {
    return this.#sum(IRREGULAR);
  }
  /**
   * How unevenly the picture moved: RMS over all refreshes of the error of the move, relative to the move that a refresh
   * should show. A refresh without a frame of its own did not move at all.
   */
  get judder(): number {
    return this.#rms(JUDDER);
  }
  /** The same, of the worst refresh. */
  get worstJudder(): number {
    return this.#tally.worst(!this.#lost);
  }
  /** RMS error of each frame's move, in refreshes: judder without what dropped frames cause. */
  get moveError(): number {
    return this.#rms(MOVE_ERROR);
  }
  /** Simulated seconds a real second: the time scale, less what was lost and paused. */
  get effectiveSpeed(): number {
    return 1 + this.#sum(GAIN) / (this.#real || 1);
  }
}

/** What the loop measures of itself: totals since the start or the last reset, and recent figures. */
export class LoopStats extends Figures {
  /** The same figures over the last 128 to 256 frames. */
  readonly recent: Figures;

  /** @internal A loop makes it: `loop.stats`. */
  constructor(tally: Tally, dt: number, lost: Span) {
    super(tally, dt, lost);
    this.recent = new Figures(tally, dt);
  }
}
