import { SECOND, type Span } from "../time/index.js";
import {
  BLOCK,
  DROPPED,
  FIELDS,
  FORCED,
  GAIN,
  IRREGULAR,
  JUDDER,
  LOST,
  MANY,
  MORE_STEPS,
  MOVE_ERROR,
  OVERLOADS,
  PROGRESS,
  RENDER_COST,
  STEP_COST,
  WITHOUT_TIME,
} from "./fields.js";

const newSums = () => new Float64Array(FIELDS);

/** Sums up frames. What most frames have in common is not summed: real time is progress less what was noted. */
export class Tally {
  private readonly sums = newSums();
  /** The sums as they were 128 to 256 frames ago, and 0 to 128. */
  private early = newSums();
  private late = newSums();
  private left = BLOCK;
  /** The worst judder: of all frames, of this block, and of the one before. */
  private worstOfAll: number;
  private worstNow: number;
  private worstBefore: number;

  /** The clock as it was read last, and what the last lap cost. */
  private reading: number;
  cost: number;

  /** Is told how to find out the simulated seconds, and what time it is. */
  constructor(
    private readonly progress: () => number,
    private readonly now: () => number,
  ) {
    // A fraction, so that engines hold these fields as doubles and never allocate for them.
    this.reading = this.cost = this.worstOfAll = this.worstNow = this.worstBefore = 0.5;
    this.worstOfAll = this.worstNow = this.worstBefore = 0;
  }

  note(field: number, value: number): void {
    this.sums[field]! += value;
  }

  /** Reads the clock: what has passed since it was read last was the cost of so many steps or drawings, if any. */
  lap(count: number, field = STEP_COST): void {
    const now = this.now();
    const cost = now - this.reading;
    this.reading = now;
    // A clock that errs costs nothing.
    this.cost = cost > 0 && cost < 1e7 ? cost : 0;
    if (count > 0) {
      this.sums[field]! += this.cost;
      this.sums[field + 1]! += count;
    }
  }

  /** Notes what a display shows of a frame: the refreshes since the frame before, and the move, as a multiple of one refresh's. */
  see(refreshes: number, move: number, isIrregular: boolean): void {
    // Each missed refresh shows the previous picture again: an error of 1.
    const missed = refreshes - 1;
    const error = move - 1;
    this.note(DROPPED, missed);
    this.note(JUDDER, missed + error * error);
    this.note(JUDDER + 1, refreshes);
    this.note(MOVE_ERROR, (move - refreshes) ** 2);
    this.note(MOVE_ERROR + 1, 1);
    if (isIrregular) this.note(IRREGULAR, 1);
    this.worstNow = Math.max(this.worstNow, Math.abs(error), missed > 0 ? 1 : 0);
    this.worstOfAll = Math.max(this.worstOfAll, this.worstNow);
  }

  worst(recent: boolean): number {
    return recent ? Math.max(this.worstNow, this.worstBefore) : this.worstOfAll;
  }

  /** Counts a frame of few steps. Most have one: these are the frames that no other number was counted for. */
  countFew(steps: number): void {
    if (steps !== 1) this.sums[steps]!++;
    if (--this.left === 0) this.turn();
  }

  /** Counts any frame. */
  count(steps: number): void {
    if (steps > MANY) this.note(MORE_STEPS, steps - MANY);
    this.countFew(Math.min(steps, MANY));
  }

  /** Frames of one step. */
  private get ones(): number {
    const { sums, late } = this;
    let ones = sums[1]! + BLOCK - this.left;
    for (let steps = 0; steps <= MANY; steps++) if (steps !== 1) ones -= sums[steps]! - late[steps]!;
    return ones;
  }

  private turn(): void {
    const { sums, early } = this;
    sums[1] = this.ones;
    this.left = BLOCK;
    this.worstBefore = this.worstNow;
    this.worstNow = 0;
    this.early = this.late;
    this.late = early;
    early.set(sums);
    early[PROGRESS] = this.progress() * SECOND;
  }

  sum(field: number, recent: boolean): number {
    const sum = field === PROGRESS ? this.progress() * SECOND : field === 1 ? this.ones : this.sums[field]!;
    return recent ? sum - this.early[field]! : sum;
  }

  /** Nanoseconds of real time. */
  real(recent: boolean): number {
    return this.sum(PROGRESS, recent) - this.sum(GAIN, recent) - this.sum(FORCED, recent);
  }
}

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
