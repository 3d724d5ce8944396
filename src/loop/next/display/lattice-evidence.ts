import type { LineFit } from "./line-fit.js";

/** Frames over which the spread of frame lengths is averaged, and over which errors are correlated. */
const WINDOW = 32;
const DRIFT_WINDOW = 16;
/** Frame lengths without a lattice have at least this standard deviation, in periods. */
const RANDOM_SPREAD = 0.1;
/** Degrees of freedom of the noise, which has Student's distribution: few, as a single timestamp may be far off. */
const FREEDOM = 5;
/** Maximum evidence that one frame adds or takes away. */
const MAX_GAIN = 2;
const MAX_LOSS = 6;
/** Displays seldom change: while locked, each frame adds this much evidence, up to a bound. */
const STAY = 0.5;
const RESERVE = 14;
/** The rate drifts if consecutive errors have at least this correlation, and at least this size in periods. */
const DRIFT = 0.8;
const DRIFT_NOISE = 0.01;
/** Errors that rounding to whole milliseconds explains. */
const COARSE_ERROR = 0.6;

/** A frame, with everything that its evidence depends on. */
export interface WeighedFrame {
  readonly fit: LineFit;
  /** The number of refreshes that the frame took, and its length minus theirs. */
  readonly counted: number;
  readonly beyond: number;
  /** How far its timestamp lies after its refresh. */
  readonly error: number;
  /** Standard deviation of the timestamps, and the part of it that is known to be rounding. */
  readonly noise: number;
  readonly gridNoise: number;
  readonly locked: boolean;
  readonly late: boolean;
  /** Whether timestamps are whole milliseconds. */
  readonly coarse: boolean;
}

/** Negative log-likelihood of an error, without the terms that do not depend on it. */
const misfit = (error: number, variance: number, freedom: number) =>
  ((freedom + 1) / 2) * Math.log(1 + (error * error) / (freedom * variance));

/**
 * Sums the evidence that timestamps lie on a lattice, rather than that frames have independent lengths: a log-likelihood
 * ratio, in nats. Frames without a lattice reach an evidence of `a` with a probability of about e^-a.
 */
export class LatticeEvidence {
  /** Below 0 only while the clock is locked: it must then unlock. */
  amount: number;
  /** Consecutive frames without evidence. */
  failures = 0;
  /** Mean squared difference of frames from whole periods. */
  private spread: number;
  /** Means of the squared error, and of the product of two errors in a row. */
  private squared: number;
  private product: number;
  private lastError: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.amount = this.spread = this.squared = this.product = this.lastError = 0.5;
    this.clear();
  }

  clear(): void {
    this.amount = this.spread = this.squared = this.product = this.lastError = this.failures = 0;
  }

  /** Fills the reserve, so that it takes several frames that do not fit to lose a new lock. */
  trust(): void {
    this.amount = RESERVE;
  }

  /** Adds a frame. */
  add(frame: WeighedFrame): void {
    const { fit, noise, gridNoise, beyond, error } = frame;
    const { period, points } = fit;
    const lattice = Math.max((noise * noise) / (fit.variance || 1e-9), 1) * fit.predicted;
    // Frames of several refreshes are weak evidence: any length is near a multiple of a short period.
    const isSingle = frame.counted === 1;
    const random = isSingle
      ? Math.max((RANDOM_SPREAD * period) ** 2 + 2 * gridNoise * gridNoise, this.spread)
      : period * period;
    // Most frames of a locked display: their gain is above -0.1, as log(1 + x) < x, and leaves a full reserve full.
    const isSafe = isSingle && points >= FREEDOM && random > 100 * lattice && error * error < 4 * lattice;
    if (!(isSafe && frame.locked && this.amount === RESERVE)) {
      const gain =
        Math.log(random / lattice) / 2 -
        misfit(error, lattice, Math.min(points, FREEDOM)) +
        (isSingle ? misfit(beyond, random, FREEDOM) : -2);
      this.amount += Math.max(frame.late ? -MAX_GAIN : -MAX_LOSS, Math.min(MAX_GAIN, gain));
    }
    const change = beyond * beyond - this.spread;
    // A constant divisor is faster.
    this.spread += points < WINDOW ? change / points : change / WINDOW;
    this.squared += (error * error - this.squared) / DRIFT_WINDOW;
    this.product += (error * this.lastError - this.product) / DRIFT_WINDOW;
    this.lastError = error;
    if (frame.locked) this.amount = Math.min(this.amount + STAY, RESERVE);
    else if (this.amount > 0) this.failures = 0;
    else {
      this.amount = 0;
      this.failures++;
    }
  }

  /** Whether consecutive errors are correlated, as those of a display whose rate drifts. */
  drifts({ fit, coarse }: WeighedFrame): boolean {
    const min = coarse ? COARSE_ERROR : DRIFT_NOISE * fit.period;
    return this.squared > min * min && this.product > DRIFT * this.squared;
  }
}
