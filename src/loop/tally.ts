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
  /** How far the picture moves with the next frame, as a multiple of what one refresh should show: see `see`. */
  move: number;

  /** Is told how to find out the simulated seconds, and what time it is. */
  constructor(
    private readonly progress: () => number,
    private readonly now: () => number,
  ) {
    // A fraction, so that engines hold these fields as doubles and never allocate for them.
    this.move = this.reading = this.cost = this.worstOfAll = this.worstNow = this.worstBefore = 0.5;
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

  /** Records a frame that a display shows `refreshes` after the last one, with `move` set. */
  see(refreshes: number, isIrregular: boolean): void {
    const { move } = this;
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
