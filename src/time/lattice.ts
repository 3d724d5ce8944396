import { LatticeEvidence, type WeighedFrame } from "./lattice-evidence.js";
import { LineFit } from "./line-fit.js";

/** Frames that the fit remembers, and frames over which its noise is averaged. */
const MEMORY = 64;
const WINDOW = 32;
/** First guess of the timestamps' noise, and the least that is ever assumed, in periods. */
const LIKELY_NOISE = 0.02;
const LEAST_NOISE = 0.004;
/** From this noise on, in milliseconds, timestamps tell when callbacks ran, so single ones may be late. */
const LATE_NOISE = 0.42;
/** Standard deviation of timestamps that are rounded to whole milliseconds. */
const COARSE_NOISE = 0.29;
/** Nearly all errors lie in a range of this many times the noise. */
const NOISE_RANGE = 3.2;
/** From this noise on, in periods, a single timestamp does not tell how many refreshes passed. */
const NOISY = 0.12;

/** Evidence that a lock needs: at first, after a lock that lasted, and at most. */
const FIRST_PATIENCE = 5;
const NEXT_PATIENCE = 1;
const MOST_PATIENCE = 100;
/** It grows with each frame without a lattice, up to a bound: otherwise random frames would be lucky one day. */
const SEARCH_PENALTY = 0.14;
const SEARCH_PATIENCE = 26;
/** Frames after which a lock has lasted. */
const LASTING = 100;
/** Frames without evidence after which the fit starts again. */
const MOST_FAILURES = 8;
/** Timestamps in a row off the lattice after which it is lost, unless they may be late. */
const MOST_OFF = 3;
/** Mean difference of frames from whole periods, in periods, that late timestamps do not explain. */
const BIAS = 0.17;
/** Milliseconds of frames that all take the same number of refreshes, after which the display itself is slower. */
const SLOWER_DISPLAY = 10_000;
/** Frames whose lengths are remembered. */
const RECENT = 5;

/**
 * Finds the lattice of a display's refreshes, one period apart, in the timestamps of its frames. It is locked while
 * the timestamps fit one. All times are in milliseconds.
 */
export class Lattice implements WeighedFrame {
  /** Length of the next frame: set it, then call `take` or `skip`. */
  elapsed: number;
  /** Refreshes since the last frame; 0 if the timestamps do not tell. */
  refreshes = 0;
  locked = false;
  /** Whether single timestamps may be late, by up to a period. */
  late = false;
  /** Period and phase. */
  readonly fit = new LineFit(MEMORY);
  /** Standard deviation of the timestamps around their refreshes, and the part of it that is known to be rounding. */
  noise: number;
  gridNoise: number;
  counted = 0;
  beyond: number;
  error: number;
  private readonly evidence = new LatticeEvidence();
  private patience: number;
  /** Frames since the lock. */
  private age = 0;
  /** Mean by which frames differ from whole periods. */
  private bias: number;
  /** Timestamps in a row that were off the lattice. */
  private off = 0;
  /** Timestamps in a row that lay most of a period after their refresh; before it, if negative. */
  private beside = 0;
  /** Time in which each frame took the same number of refreshes, more than one. */
  private repeated: number;
  private lastRefreshes = 0;
  /** Frames in a row whose lengths are whole milliseconds. */
  private whole = 0;
  /** The last frames, how many there are, and the same in order. */
  private readonly recent = new Float64Array(RECENT);
  private recentCount = 0;
  private readonly sorted = new Float64Array(RECENT);
  /** How long the last frames usually were. */
  private usual: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.patience = this.bias = this.repeated = this.usual = 0.5;
    this.elapsed = this.noise = this.gridNoise = this.beyond = this.error = 0.5;
    this.elapsed = this.noise = this.gridNoise = this.beyond = this.error = 0;
    this.bias = this.repeated = this.usual = 0;
    this.patience = FIRST_PATIENCE;
  }

  /** Whether timestamps are whole milliseconds. */
  get coarse(): boolean {
    return this.whole > 7;
  }

  /** Whether two frames may have the same timestamp, because both were rounded. */
  get mayRepeat(): boolean {
    return this.locked && this.coarse && this.isNoisy;
  }

  /** Whether it has fitted enough frames to trust its period. */
  get isSettled(): boolean {
    return this.fit.points > WINDOW;
  }

  /** Whether the period is known to about three parts in ten thousand, by the error of a line through the points. */
  get isKnown(): boolean {
    const { points, period } = this.fit;
    const error = this.noise * Math.sqrt(12 / (points * points * points));
    return this.locked && points > 20 && error < 3e-4 * period;
  }

  /** Takes a frame. */
  take(): void {
    const { fit, evidence, elapsed, locked, late, off } = this;
    this.refreshes = 0;
    this.remember();
    if (!locked) {
      if (this.patience < SEARCH_PATIENCE) this.patience += SEARCH_PENALTY;
      if (this.isOther()) return this.restart();
    }
    const { period } = fit;
    const since = fit.error + elapsed;
    this.error = since;
    this.count();
    const { counted } = this;
    this.beyond = elapsed - counted * period;
    this.error = since - counted * period;
    const slip = this.slip();
    this.error -= slip * period;
    evidence.add(this);
    if (evidence.amount < 0 || evidence.failures > MOST_FAILURES || evidence.drifts(this) || this.isBiased())
      return this.restart();
    if (locked && this.isOff()) {
      // Either a single bad timestamp, or another lattice begins here.
      fit.error = late ? this.error : since - Math.max(0, Math.round(since / period)) * period;
      if (++this.off >= MOST_OFF && !late) this.restart();
      return;
    }
    // A single timestamp was late if the next one is on the lattice again, after a short frame.
    if (off === 1 && fit.error > 0 && elapsed < period) this.late = true;
    this.off = 0;
    fit.error = this.error;
    fit.add(counted, WINDOW);
    this.measureNoise();
    if (fit.points > 16 && this.noise > LATE_NOISE) this.late = true;
    if (!locked && evidence.amount > this.patience) this.lock();
    if (!this.locked) return;
    this.age++;
    // From a timestamp off the lattice, the next refresh is not a whole number of periods away.
    if (!off && !slip) this.refreshes = counted;
    this.adopt();
  }

  /** Takes a pause of any length. A lattice that is known is still the same afterwards. */
  skip(): void {
    const { fit, elapsed } = this;
    const since = fit.error + elapsed;
    this.error = since - Math.round(since / fit.period) * fit.period;
    this.refreshes = 0;
    fit.error = this.locked && elapsed < Infinity && !this.isOff() ? this.error : 0;
    this.off = this.repeated = 0;
  }

  /** Starts again, with the usual length of the last frames. */
  restart(): void {
    if (this.locked)
      this.patience = this.age < LASTING ? Math.min(2 * this.patience, MOST_PATIENCE) : NEXT_PATIENCE;
    this.findUsual();
    this.fit.start(this.usual, LIKELY_NOISE * this.usual);
    this.measureNoise();
    this.evidence.clear();
    this.locked = this.late = false;
    this.off = this.bias = this.repeated = this.lastRefreshes = this.beside = this.refreshes = 0;
  }

  private lock(): void {
    this.locked = true;
    this.age = 0;
    this.evidence.trust();
  }

  private measureNoise(): void {
    this.gridNoise = this.whole > 2 ? COARSE_NOISE : 0;
    this.noise = Math.max(Math.sqrt(this.fit.variance), LEAST_NOISE * this.fit.period, this.gridNoise);
  }

  private get isNoisy(): boolean {
    return this.noise > NOISY * this.fit.period;
  }

  private remember(): void {
    const { recent, elapsed } = this;
    for (let i = 1; i < RECENT; i++) recent[i - 1] = recent[i]!;
    recent[RECENT - 1] = elapsed;
    if (this.recentCount < RECENT) this.recentCount++;
    this.whole = Math.abs(elapsed - Math.round(elapsed)) < 0.01 ? this.whole + 1 : 0;
    this.measureNoise();
  }

  /** Finds how long the last frames usually were: their median, or the shortest if all others are multiples of it. */
  private findUsual(): void {
    const { sorted, recentCount } = this;
    sorted.set(this.recent);
    sorted.sort();
    const first = RECENT - recentCount;
    const least = sorted[first]!;
    let isWhole = least > 6;
    for (let i = first + 1; i < RECENT; i++) {
      const periods = sorted[i]! / least;
      isWhole &&= Math.abs(periods - Math.round(periods)) < 0.08;
    }
    this.usual = isWhole && sorted[RECENT - 1]! > 1.5 * least ? least : sorted[first + (recentCount >> 1)]!;
  }

  /** Whether frames are usually of another length than the period. */
  private isOther(): boolean {
    const { period, points } = this.fit;
    this.findUsual();
    return !period || Math.abs(this.usual - period) > 0.25 * period + (points > 8 ? this.noise : 0);
  }

  /** Counts the refreshes since the last one, which `error` lies after: at least one. */
  private count(): void {
    const { error: since, elapsed } = this;
    const { period } = this.fit;
    // A timestamp that may be late must be nearly a whole period late to mean a dropped frame; later still if it is noisy.
    const slack = Math.min(this.late ? 0.1 : 0.45, 1 - (NOISE_RANGE * this.noise) / period);
    // An error of the timestamp before must not make a frame twice as long as it was.
    const most = Math.floor(elapsed / period + 0.6);
    this.counted = Math.max(1, Math.min(Math.floor(since / period + slack), most));
  }

  /** Refreshes that were counted too few. A single timestamp may be late by most of a period; if the next ones are too, a frame was dropped. */
  private slip(): number {
    const { error } = this;
    const side = this.late && Math.abs(error) > 0.55 * this.fit.period ? (error > 0 ? 1 : -1) : 0;
    this.beside = side * this.beside > 0 ? this.beside + side : side;
    if (Math.abs(this.beside) < (this.isNoisy ? 4 : 2)) return 0;
    this.beside = 0;
    return side;
  }

  /** Whether the last frames were longer or shorter than whole periods: another rate, behind late timestamps. */
  private isBiased(): boolean {
    const { elapsed, noise } = this;
    const { period } = this.fit;
    const slack = Math.min(0.2, 1 - (NOISE_RANGE * noise) / period);
    this.bias += (elapsed - Math.max(1, Math.floor(elapsed / period + slack)) * period - this.bias) / 8;
    return this.late && this.locked && Math.abs(this.bias) > BIAS * period + noise / 2;
  }

  /** Whether a timestamp that lies `error` after its refresh does not belong to the lattice. */
  private isOff(): boolean {
    const { noise, error } = this;
    const { period } = this.fit;
    if (!this.late) return Math.abs(error) > Math.min(0.3 * period, Math.max(4.5 * noise, 0.05 * period));
    return error > Math.max(0.95 * period, 4 * noise) || error < -Math.max(0.35 * period, 3 * noise);
  }

  /** Takes a display that needs the same number of refreshes for each frame, for a long time, for a slower one. */
  private adopt(): void {
    const { refreshes, fit, elapsed } = this;
    this.repeated = refreshes > 1 && refreshes === this.lastRefreshes ? this.repeated + elapsed : 0;
    this.lastRefreshes = refreshes;
    if (this.repeated < SLOWER_DISPLAY) return;
    fit.period *= refreshes;
    this.refreshes = 1;
    this.repeated = 0;
  }
}
