import { SECOND } from "../time/index.js";
import {
  BLOCK,
  DROPPED,
  FIELDS,
  FORCED,
  GAIN,
  IRREGULAR,
  JUDDER,
  MANY,
  MORE_STEPS,
  MOVE_ERROR,
  PROGRESS,
  STEP_COST,
} from "./tally-fields.js";

const newSums = () => new Float64Array(FIELDS);

/** Sums up frames. Real time is not summed, but computed: simulated time, less the gains that were noted. */
export class Tally {
  private readonly sums = newSums();
  /** The sums as they were 128 to 256 frames ago, and 0 to 128. */
  private early = newSums();
  private late = newSums();
  private left = BLOCK;
  /** The worst judder of all frames, of the current block, and of the block before. */
  private worstOfAll: number;
  private worstNow: number;
  private worstBefore: number;

  /** The last reading of the clock, and the milliseconds of the last lap. */
  private reading: number;
  cost: number;
  /** How far the picture moves with the next frame, as a multiple of what one refresh should show: see `see`. */
  move: number;

  /** `progress` returns the simulated seconds; `now` reads a clock, in milliseconds. */
  constructor(
    private readonly progress: () => number,
    private readonly now: () => number,
  ) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.move = this.reading = this.cost = this.worstOfAll = this.worstNow = this.worstBefore = 0.5;
    this.worstOfAll = this.worstNow = this.worstBefore = 0;
  }

  /** Adds a value to a sum. */
  note(field: number, value: number): void {
    this.sums[field]! += value;
  }

  /** Reads the clock. The time since the last reading is the cost of `count` steps or drawings. */
  lap(count: number, field = STEP_COST): void {
    const now = this.now();
    const cost = now - this.reading;
    this.reading = now;
    // Ignore a clock that leaps.
    this.cost = cost > 0 && cost < 1e7 ? cost : 0;
    if (count > 0) {
      this.sums[field]! += this.cost;
      this.sums[field + 1]! += count;
    }
  }

  /** Records a frame that a display shows `refreshes` after the last one, with `move` set. */
  see(refreshes: number, isIrregular: boolean): void {
    const { move } = this;
    // Each missed refresh shows the previous picture again, which is an error of 1.
    const missed = refreshes - 1;
    const error = move - 1;
    if (missed > 0) this.note(DROPPED, missed);
    this.note(JUDDER, missed + error * error);
    this.note(JUDDER + 1, refreshes);
    this.note(MOVE_ERROR, (move - refreshes) ** 2);
    this.note(MOVE_ERROR + 1, 1);
    if (isIrregular) this.note(IRREGULAR, 1);
    const worst = missed > 0 ? Math.max(1, Math.abs(error)) : Math.abs(error);
    if (worst <= this.worstNow) return;
    this.worstNow = worst;
    this.worstOfAll = Math.max(this.worstOfAll, worst);
  }

  /** The judder of the worst refresh. */
  worst(recent: boolean): number {
    return recent ? Math.max(this.worstNow, this.worstBefore) : this.worstOfAll;
  }

  /** Counts a frame of at most 8 steps. Frames with one step are not counted, but computed as the rest. */
  countFew(steps: number): void {
    if (steps !== 1) this.sums[steps]!++;
    if (--this.left === 0) this.endBlock();
  }

  /** Counts a frame. */
  count(steps: number): void {
    if (steps > MANY) this.note(MORE_STEPS, steps - MANY);
    this.countFew(Math.min(steps, MANY));
  }

  /** Frames with one step. */
  private get ones(): number {
    const { sums, late } = this;
    let ones = sums[1]! + BLOCK - this.left;
    for (let steps = 0; steps <= MANY; steps++) if (steps !== 1) ones -= sums[steps]! - late[steps]!;
    return ones;
  }

  /** Ends a block of frames. */
  private endBlock(): void {
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

  /** Returns a sum over all frames, or over the recent ones. */
  sum(field: number, recent: boolean): number {
    const sum = field === PROGRESS ? this.progress() * SECOND : field === 1 ? this.ones : this.sums[field]!;
    return recent ? sum - this.early[field]! : sum;
  }

  /** Returns the real time, in nanoseconds. */
  real(recent: boolean): number {
    return this.sum(PROGRESS, recent) - this.sum(GAIN, recent) - this.sum(FORCED, recent);
  }
}
