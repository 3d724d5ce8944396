import { dataOf, MANY, tableOf, type FiguresData } from "./figures-text.js";

/** Recent figures cover the last 128 to 256 frames. */
const BLOCK = 128;

/** Sums over frames, by name. Frames with 0, 1, … 8 or more steps have the first indices. Times are in seconds. */
export const Sum = {
  steps: MANY + 1,
  real: MANY + 2,
  /** Simulated time, including what is owed, that no `runSteps` has forced. */
  moved: MANY + 3,
  withoutTime: MANY + 4,
  lost: MANY + 5,
  overloads: MANY + 6,
  stepCost: MANY + 7,
  stepCosts: MANY + 8,
  renderCost: MANY + 9,
  renderCosts: MANY + 10,
  dropped: MANY + 11,
  irregular: MANY + 12,
  judder: MANY + 13,
  judders: MANY + 14,
  moveError: MANY + 15,
  moveErrors: MANY + 16,
} as const;
const COUNT = MANY + 17;

/** Sums up frames, and remembers the sums of earlier ones. */
export class Tally {
  readonly sums = new Float64Array(COUNT);
  /** The sums as they were 128 to 256 frames ago, and 0 to 128. */
  #early = new Float64Array(COUNT);
  #late = new Float64Array(COUNT);
  #left = BLOCK;
  /** The worst judder of all frames, of the current block, and of the block before. */
  #worst = 0;
  #worstNow = 0;
  #worstBefore = 0;

  /** Counts a frame, whose figures have been added. */
  count(steps: number): void {
    this.sums[steps < MANY ? steps : MANY]!++;
    if (--this.#left > 0) return;
    this.#left = BLOCK;
    this.#worstBefore = this.#worstNow;
    this.#worstNow = 0;
    [this.#early, this.#late] = [this.#late, this.#early];
    this.#late.set(this.sums);
  }

  /** Adds the move of a frame, in refreshes, that a display shows `refreshes` after the last one. */
  see(move: number, refreshes: number): void {
    const { sums } = this;
    // Each missed refresh shows the previous picture again, which is an error of 1.
    const missed = refreshes - 1;
    const error = Math.abs(move - 1);
    sums[Sum.dropped]! += missed;
    sums[Sum.judder]! += missed + error * error;
    sums[Sum.judders]! += refreshes;
    sums[Sum.moveError]! += (move - refreshes) ** 2;
    sums[Sum.moveErrors]!++;
    const worst = missed > 0 && error < 1 ? 1 : error;
    if (worst > this.#worstNow) this.#worstNow = worst;
    if (worst > this.#worst) this.#worst = worst;
  }

  sum(index: number, isRecent: boolean): number {
    return this.sums[index]! - (isRecent ? this.#early[index]! : 0);
  }

  worst(isRecent: boolean): number {
    return isRecent ? Math.max(this.#worstNow, this.#worstBefore) : this.#worst;
  }
}

/** Measurements over all frames since the start or the last reset, or over the last 128 to 256 frames. */
export class Figures {
  readonly #tally: () => Tally;
  readonly #dt: () => number;
  readonly #isRecent: boolean;

  /** @internal Created by `measure`. */
  constructor(tally: () => Tally, dt: () => number, isRecent: boolean) {
    this.#tally = tally;
    this.#dt = dt;
    this.#isRecent = isRecent;
  }

  #sum(index: number): number {
    return this.#tally().sum(index, this.#isRecent);
  }

  #mean(index: number): number {
    return this.#sum(index) / (this.#sum(index + 1) || 1);
  }

  /** Number of frames. */
  get frames(): number {
    let frames = 0;
    for (let steps = 0; steps <= MANY; steps++) frames += this.#sum(steps);
    return frames;
  }
  /** Number of steps. */
  get steps(): number {
    return this.#sum(Sum.steps);
  }
  /** Returns the number of frames that ran `steps` steps, from 0 to 8; 8 stands for 8 or more. */
  framesWith(steps: number): number {
    return steps <= MANY ? this.#sum(steps) || 0 : 0;
  }
  /** Mean real seconds per frame. */
  get frameTime(): number {
    return this.#sum(Sum.real) / (this.frames || 1);
  }
  /** Frames whose elapsed time was zero or negative. */
  get framesWithoutTime(): number {
    return this.#sum(Sum.withoutTime);
  }
  /** Mean cost of a step with its beats and listeners, in seconds. */
  get stepCost(): number {
    return this.#mean(Sum.stepCost);
  }
  /** Mean cost of drawing a frame, in seconds. */
  get renderCost(): number {
    return this.#mean(Sum.renderCost);
  }
  /** Cost of a step divided by `dt`: above 1, a step takes longer than the time it simulates. */
  get load(): number {
    return this.stepCost / this.#dt();
  }
  /** Seconds of virtual time thrown away. */
  get lostSeconds(): number {
    return this.#sum(Sum.lost);
  }
  /** Frames that could not simulate all their time. */
  get overloads(): number {
    return this.#sum(Sum.overloads);
  }
  /** Refreshes of the display without a new frame: they showed the previous picture again. */
  get droppedFrames(): number {
    return this.#sum(Sum.dropped);
  }
  /** Frames with more or fewer steps than the others, if steps and refreshes are nearly in a whole ratio. */
  get irregularFrames(): number {
    return this.#sum(Sum.irregular);
  }
  /**
   * How unevenly the picture moved: the RMS error of the move of each refresh, relative to what a refresh should show. A
   * refresh without a new frame did not move at all.
   */
  get judder(): number {
    return Math.sqrt(this.#mean(Sum.judder));
  }
  /** The same for the worst refresh. */
  get worstJudder(): number {
    return this.#tally().worst(this.#isRecent);
  }
  /** RMS error of each frame's move, in refreshes: judder without the effect of dropped frames. */
  get moveError(): number {
    return Math.sqrt(this.#mean(Sum.moveError));
  }
  /** Simulated seconds per real second: the time scale, less lost and paused time. */
  get effectiveSpeed(): number {
    const real = this.#sum(Sum.real);
    return real > 0 ? this.#sum(Sum.moved) / real : 1;
  }

  /** Returns all figures as plain data, for `JSON.stringify`. */
  toJSON(): FiguresData {
    return dataOf(this);
  }

  /** Returns a table of all figures, as text. */
  toString(): string {
    return tableOf({ [this.#isRecent ? "recent" : "all"]: this });
  }
}
