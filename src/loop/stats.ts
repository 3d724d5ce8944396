import { SECOND, type Span } from "../time/index.js";

/** Frames in a block of the tally; recent figures are those of the last block and of the present one. */
const BLOCK = 64;
/** Frames of more steps are counted together. */
export const FEW = 7;
const MANY = FEW + 1;

// The first fields are the histogram: frames with 0, 1, … 8 or more steps. Times are in nanoseconds.
export const REAL = MANY + 1;
/** Simulated time won beyond real time: less than 0 where time was scaled down, paused or lost. */
export const GAIN = MANY + 2;
/** Steps beyond 8 of frames with so many. */
const MORE_STEPS = MANY + 3;
export const WITHOUT_TIME = MANY + 4;
export const LOST = MANY + 5;
export const OVERLOADS = MANY + 6;
export const STEP_COST = MANY + 7;
export const TIMED_STEPS = MANY + 8;
export const RENDER_COST = MANY + 9;
export const TIMED_FRAMES = MANY + 10;
const FIELDS = MANY + 11;

/** Sums up frames block by block, so that a frame costs a few additions, whatever is read later. */
export class Tally {
  #present = new Float64Array(FIELDS);
  #last = new Float64Array(FIELDS);
  readonly #total = new Float64Array(FIELDS);
  #left = BLOCK;

  note(field: number, value: number): void {
    this.#present[field]! += value;
  }

  /** Ends a frame of few steps. */
  frame(real: number, steps: number): void {
    const present = this.#present;
    present[REAL]! += real;
    present[steps]!++;
    if (--this.#left === 0) this.#turn();
  }

  frameOfMany(real: number, steps: number): void {
    this.note(MORE_STEPS, steps - FEW - 1);
    this.frame(real, FEW + 1);
  }

  #turn(): void {
    this.#left = BLOCK;
    for (let field = 0; field < FIELDS; field++) this.#total[field]! += this.#present[field]!;
    const spent = this.#last;
    this.#last = this.#present;
    this.#present = spent.fill(0);
  }

  sum(field: number, recent: boolean): number {
    return this.#present[field]! + (recent ? this.#last : this.#total)[field]!;
  }
}

/** Figures over some of the frames: all since the start or the last reset, or the last 64 to 128. */
export class Figures {
  readonly #tally: Tally;
  readonly #dt: number;
  /** The exact sum of all lost time; not there for recent figures. */
  readonly #lost: Span | undefined;

  constructor(tally: Tally, dt: number, lost?: Span) {
    this.#tally = tally;
    this.#dt = dt;
    this.#lost = lost;
  }

  #sum(field: number): number {
    return this.#tally.sum(field, !this.#lost);
  }

  #mean(field: number, count: number): number {
    return this.#sum(field) / (count || 1) / SECOND;
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
    return this.#mean(REAL, this.frames);
  }
  /** Frames whose elapsed time was zero or negative, which is no time. */
  get framesWithoutTime(): number {
    return this.#sum(WITHOUT_TIME);
  }
  /** Mean seconds that a step cost, with its beats and listeners; 0 unless costs are measured. */
  get stepCost(): number {
    return this.#mean(STEP_COST, this.#sum(TIMED_STEPS));
  }
  /** Mean seconds that drawing a frame cost; 0 unless costs are measured. */
  get renderCost(): number {
    return this.#mean(RENDER_COST, this.#sum(TIMED_FRAMES));
  }
  /** Cost of a step over `dt`: from 1 on, a step takes longer than the time it simulates. */
  get load(): number {
    return this.stepCost / this.#dt;
  }
  /** Seconds of virtual time thrown away. */
  get lostSeconds(): number {
    return this.#lost ? this.#lost.seconds : this.#mean(LOST, 1);
  }
  /** Frames that could not simulate all their time. */
  get overloads(): number {
    return this.#sum(OVERLOADS);
  }
  /** Simulated seconds a real second: the time scale, less what was lost and paused. */
  get effectiveSpeed(): number {
    return 1 + this.#sum(GAIN) / (this.#sum(REAL) || 1);
  }
}

/** What the loop measures of itself: totals since the start or the last reset, and recent figures. */
export class LoopStats extends Figures {
  /** The same figures over the last 64 to 128 frames. */
  readonly recent: Figures;

  constructor(tally: Tally, dt: number, lost: Span) {
    super(tally, dt, lost);
    this.recent = new Figures(tally, dt);
  }
}
