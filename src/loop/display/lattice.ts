/** Frames in the fit's memory, and frames over which noise and lengths are averaged. */
const MEMORY = 64;
const WINDOW = 32;
/** The first guess of the timestamps' noise, and its lower bound, in periods. */
const LIKELY_NOISE = 0.02;
const MIN_NOISE = 0.004;
/** Above this noise, in milliseconds, timestamps are those of the callbacks, not of the refreshes: single ones may be late. */
const LATE_NOISE = 0.42;
/** Standard deviation of timestamps that are rounded to whole milliseconds. */
const COARSE_NOISE = 0.29;
/** Nearly all errors lie in a range that is this many times as wide as the noise. */
const NOISE_RANGE = 3.2;
/** Above this noise, in periods, a single timestamp does not show how many refreshes passed. */
const NOISY = 0.12;

/** The evidence that a lock needs: at first, and after a lock that lasted. */
const FIRST_PATIENCE = 5;
const NEXT_PATIENCE = 1;
/** It grows with each frame without a lock, up to a bound: otherwise random frames would lock by chance in the long run. */
const SEARCH_PENALTY = 0.14;
const SEARCH_PATIENCE = 26;
/** A lock of this many frames has lasted. */
const LASTING = 100;
/** Frames without evidence after which the fit starts again. */
const MAX_FAILURES = 4;
/** Consecutive timestamps most of a period beside the lattice that mean a wrong count. */
const MAX_BESIDE = 3;
/** Consecutive timestamps off the lattice after which the lock is lost, unless timestamps may be late. */
const MAX_OFF = 3;
/** Frames whose median length is the first guess of the period. */
const RECENT = 5;
/** Frame lengths without a lattice have at least this standard deviation, in periods. */
const RANDOM_SPREAD = 0.1;
/** Degrees of freedom of the noise, which has Student's distribution: few, as a single timestamp may be far off. */
const FREEDOM = 5;
/** Maximum evidence that one frame adds or takes away. */
const MAX_GAIN = 2;
const MAX_LOSS = 6;
/** Evidence that a lock begins with, and that it keeps at most: the frames that do not fit use it up. */
const RESERVE = 14;

/**
 * Finds a display's refreshes in the timestamps of its frames: a lattice of times, one period apart. It is locked while the
 * timestamps fit such a lattice. All times are in milliseconds.
 */
export class Lattice {
  /** Length of the next frame: set it, then call `take` or `skip`. */
  elapsed = 0;
  /** Refreshes since the last frame; 0 if unknown. */
  refreshes = 0;
  locked = false;
  /** Whether single timestamps may be late, by up to a period. */
  late = false;
  /** Period and phase. */
  readonly fit = new LineFit(MEMORY);
  /** Standard deviation of the timestamps around their refreshes, and the part of it that is known to be rounding. */
  noise = 0;
  gridNoise = 0;
  /** Refreshes that the frame was taken for, its length minus theirs, and how far its timestamp lies after its refresh. */
  counted = 0;
  beyond = 0;
  error = 0;
  private readonly evidence = new LatticeEvidence();
  private patience = FIRST_PATIENCE;
  /** Frames since the lock. */
  private age = 0;
  /** Consecutive timestamps off the lattice. */
  private off = 0;
  /** Whether the last of them came after more than a period. */
  private wasLong = false;
  /** Consecutive timestamps that lay most of a period after their refresh; negative if before it. */
  private beside = 0;
  /** Consecutive frames whose lengths are whole milliseconds. */
  private whole = 0;
  /** The lengths of the last frames, where the next one goes, and room to sort them. */
  private readonly lengths = new Float64Array(RECENT);
  private next = 0;
  private readonly sorted = new Float64Array(RECENT);

  /** Whether timestamps are whole milliseconds. */
  get coarse(): boolean {
    return this.whole > 2;
  }

  /** Whether two frames may have the same timestamp, because both were rounded. */
  get mayRepeat(): boolean {
    return this.locked && this.coarse && this.noise > NOISY * this.fit.period;
  }

  /** Whether the period is known to about 0.03 %: the standard error of a slope fitted through this many points. */
  get isKnown(): boolean {
    const { points, period } = this.fit;
    const error = this.noise * Math.sqrt(12 / (points * points * points));
    return this.locked && points > 20 && error < 3e-4 * period;
  }

  /** Takes a frame. */
  take(): void {
    const { fit, evidence, elapsed, locked, late, off } = this;
    this.refreshes = 0;
    this.lengths[this.next] = elapsed;
    this.next = (this.next + 1) % RECENT;
    this.whole = Math.abs(elapsed - Math.round(elapsed)) < 0.01 ? this.whole + 1 : 0;
    if (!fit.period) {
      this.lengths.fill(elapsed);
      return this.restart();
    }
    if (!locked && this.patience < SEARCH_PATIENCE) this.patience += SEARCH_PENALTY;
    const { period } = fit;
    const since = fit.error + elapsed;
    // Where timestamps may be late, only one that is nearly a whole period late means a dropped frame; with noise, one even later.
    const slack = Math.min(late ? 0.1 : 0.45, 1 - (NOISE_RANGE * this.noise) / period);
    // The error of the timestamp before must not double the length of a frame.
    const max = Math.floor(elapsed / period + 0.6);
    const counted = max > 1 ? Math.max(1, Math.min(Math.floor(since / period + slack), max)) : 1;
    this.counted = counted;
    this.beyond = elapsed - counted * period;
    this.error = since - counted * period;
    const slip = this.slip();
    this.error -= slip * period;
    evidence.add(this);
    if (evidence.amount < 0 || evidence.failures > MAX_FAILURES) return this.restart();
    if (locked && this.isOff()) {
      // Either a single bad timestamp, or another lattice begins here.
      fit.error = this.error;
      this.wasLong = elapsed > period;
      if (++this.off >= MAX_OFF && !late) this.restart();
      return;
    }
    // The timestamp before was late: this one is on the lattice again, after a short frame.
    if (off === 1 && this.wasLong && fit.error > 0 && elapsed < period) this.late = true;
    this.off = 0;
    fit.error = this.error;
    fit.add(counted, WINDOW);
    this.measureNoise();
    if (fit.points > 16 && this.noise > LATE_NOISE) this.late = true;
    if (!locked) this.locked = evidence.suffices(this.patience);
    if (!this.locked) return;
    this.age++;
    // From a timestamp off the lattice, the next refresh is not a whole number of periods away.
    if (!off && !slip) this.refreshes = counted;
  }

  /** Takes a pause of any length. The lattice continues after it. */
  skip(): void {
    this.refreshes = this.off = this.fit.error = 0;
  }

  /** Starts again, with the usual length of the last frames as the period. */
  restart(): void {
    const { sorted } = this;
    if (this.age >= LASTING) this.patience = NEXT_PATIENCE;
    sorted.set(this.lengths);
    sorted.sort();
    const usual = sorted[RECENT >> 1]!;
    this.fit.start(usual, LIKELY_NOISE * usual);
    this.measureNoise();
    this.evidence.clear();
    this.locked = this.late = false;
    this.age = this.off = this.beside = this.refreshes = 0;
  }

  private measureNoise(): void {
    this.gridNoise = this.coarse ? COARSE_NOISE : 0;
    const { variance, period } = this.fit;
    this.noise = Math.max(Math.sqrt(variance), MIN_NOISE * period, this.gridNoise);
  }

  /**
   * Returns by how many refreshes the count is too low. A single timestamp may be late by most of a period; if the next
   * ones are too, a frame was dropped.
   */
  private slip(): number {
    const { error } = this;
    const side = this.late && Math.abs(error) > 0.55 * this.fit.period ? (error > 0 ? 1 : -1) : 0;
    this.beside = side * this.beside > 0 ? this.beside + side : side;
    if (Math.abs(this.beside) < MAX_BESIDE) return 0;
    this.beside = 0;
    return side;
  }

  /** Whether a timestamp that lies `error` after its refresh does not belong to the lattice. */
  private isOff(): boolean {
    const { noise, error } = this;
    const { period } = this.fit;
    if (!this.late) return Math.abs(error) > Math.min(0.3 * period, Math.max(4.5 * noise, 0.05 * period));
    return error > Math.max(0.95 * period, 4 * noise) || error < -Math.max(0.35 * period, 3 * noise);
  }
}

/**
 * Sums the evidence that timestamps lie on a lattice, rather than that frames have independent lengths: a log-likelihood
 * ratio, in nats. Frames without a lattice reach an evidence of `a` with a probability of about e^-a.
 */
class LatticeEvidence {
  /** Below 0 only while the clock is locked: it must then unlock. */
  amount = 0;
  /** Consecutive frames without evidence. */
  failures = 0;
  /** Mean squared difference of frames from whole periods. */
  private spread = 0;

  clear(): void {
    this.amount = this.spread = this.failures = 0;
  }

  /** Whether there is enough for a lock. A new one starts with a full reserve, so that single frames do not end it. */
  suffices(patience: number): boolean {
    if (!(this.amount > patience)) return false;
    this.amount = RESERVE;
    return true;
  }

  /** Adds a frame that the lattice has just counted. */
  add({ fit, noise, gridNoise, beyond, error, counted, locked }: Lattice): void {
    const { period, points } = fit;
    const lattice = Math.max((noise * noise) / (fit.variance || 1e-9), 1) * fit.predicted;
    // Frames of several refreshes are weak evidence: any length is near a multiple of a short period.
    const isSingle = counted === 1;
    const random = isSingle
      ? Math.max((RANDOM_SPREAD * period) ** 2 + 2 * gridNoise * gridNoise, this.spread)
      : period * period;
    // Most frames of a locked display add nothing to a full reserve, and need no logarithms.
    const isSafe = isSingle && random > 100 * lattice && error * error < 4 * lattice;
    if (!(isSafe && locked && this.amount === RESERVE)) {
      // Log-likelihoods of the error with Student's distribution, with and without a lattice.
      const fits = Math.log(1 + (error * error) / (FREEDOM * lattice));
      const isRandom = isSingle ? Math.log(1 + (beyond * beyond) / (FREEDOM * random)) : 0;
      const gain =
        Math.log(random / lattice) / 2 + ((FREEDOM + 1) / 2) * (isRandom - fits) - (isSingle ? 0 : 2);
      this.amount += Math.max(-MAX_LOSS, Math.min(MAX_GAIN, gain));
    }
    this.spread += (beyond * beyond - this.spread) / Math.min(points, WINDOW);
    if (locked) this.amount = Math.min(this.amount, RESERVE);
    else if (this.amount > 0) this.failures = 0;
    else {
      this.amount = 0;
      this.failures++;
    }
  }
}

/**
 * Fits a line through the timestamps of refreshes: by least squares at first, then with a memory that
 * fades (a phase-locked loop of second order). All times are in milliseconds.
 */
export class LineFit {
  /** Time between two refreshes. */
  period = 0;
  /** How far the last timestamp lies after its refresh. */
  error = 0;
  /** Timestamps in the fit. */
  points = 0;
  /** Mean square of the timestamps' distances from the line. */
  variance = 0;
  /** Variance of the next timestamp around its prediction: that of its noise, plus that of the line itself. */
  predicted = 0;
  /** How much an error changes the period and the phase, and how much the line itself adds to the variance: see `weigh`. */
  private periodGain = 0;
  private phaseGain = 0;
  private uncertainty = 0;

  constructor(private readonly memory: number) {}

  /** Starts again from the last timestamp, with a guess of the period and of the noise. */
  start(period: number, noise: number): void {
    this.period = period;
    this.error = 0;
    this.points = 1;
    this.variance = noise * noise;
    this.predicted = 4 * this.variance;
  }

  /** Adds a timestamp, `refreshes` after the last one: `error`, set by the caller, is how far it lies after its prediction. */
  add(refreshes: number, window: number): void {
    const { predicted, variance, error } = this;
    const squared = predicted > 0 ? (error * error * variance) / predicted : error * error;
    this.variance += (squared - variance) / (Math.min(this.points, window) + 1);
    // With a full memory, the weights stay the same.
    if (++this.points <= this.memory) this.weigh();
    const change = this.periodGain * error;
    // The period stays positive, however far off a timestamp is.
    this.period = Math.max(this.period / 2, this.period + (refreshes > 1 ? change / refreshes : change));
    this.error = error - this.phaseGain * error;
    this.predicted = this.uncertainty * this.variance;
  }

  /** Sets the gains of a least-squares line, with the guessed period as one more point. */
  private weigh(): void {
    const { points } = this;
    const gain = 6 / ((points + 1) * (points + 2));
    this.periodGain = gain;
    this.phaseGain = ((2 * points + 1) / 3) * gain;
    this.uncertainty = 1 + (4 * points + 2) / (points * (points - 1));
  }
}

/** Clamps a number to the range from `-max` to `max`. */
export const within = (max: number, value: number) => Math.max(-max, Math.min(max, value));
