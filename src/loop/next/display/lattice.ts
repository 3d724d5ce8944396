import { LatticeEvidence, type WeighedFrame } from "./lattice-evidence.js";
import { LineFit } from "./line-fit.js";
import { RecentFrames } from "./recent-frames.js";

/** Frames in the fit's memory, and frames over which its noise is averaged. */
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

/** The evidence that a lock needs: at first, after a lock that lasted, and at most. */
const FIRST_PATIENCE = 5;
const NEXT_PATIENCE = 1;
const MAX_PATIENCE = 100;
/** It grows with each frame without a lock, up to a bound: otherwise random frames would lock by chance in the long run. */
const SEARCH_PENALTY = 0.14;
const SEARCH_PATIENCE = 26;
/** A lock of this many frames has lasted. */
const LASTING = 100;
/** Frames without evidence after which the fit starts again. */
const MAX_FAILURES = 8;
/** Consecutive timestamps off the lattice after which the lock is lost, unless timestamps may be late. */
const MAX_OFF = 3;

/**
 * Finds a display's refreshes in the timestamps of its frames: a lattice of times, one period apart. It is locked while the
 * timestamps fit such a lattice. All times are in milliseconds.
 */
export class Lattice implements WeighedFrame {
  /** Length of the next frame: set it, then call `take` or `skip`. */
  elapsed: number;
  /** Refreshes since the last frame; 0 if unknown. */
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
  /** The frame's length in periods, and how much of a period the noise leaves. */
  private periods: number;
  private room: number;
  /** Consecutive timestamps off the lattice. */
  private off = 0;
  /** Whether the last of them came after more than a period. */
  private wasLong = false;
  /** Consecutive timestamps that lay most of a period after their refresh; negative if before it. */
  private beside = 0;
  /** Consecutive frames whose lengths are whole milliseconds. */
  private whole = 0;
  private readonly recent = new RecentFrames();

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.patience = this.periods = this.room = 0.5;
    this.elapsed = this.noise = this.gridNoise = this.beyond = this.error = 0.5;
    this.elapsed = this.noise = this.gridNoise = this.beyond = this.error = 0;
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

  /** Whether it has fitted enough frames to rely on its period. */
  get isSettled(): boolean {
    return this.fit.points > WINDOW;
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
    this.remember();
    if (!locked) {
      if (this.patience < SEARCH_PATIENCE) this.patience += SEARCH_PENALTY;
      if (this.isOther()) return this.restart();
    }
    const { period } = fit;
    const since = fit.error + elapsed;
    this.error = since;
    this.periods = elapsed / period;
    this.room = 1 - (NOISE_RANGE * this.noise) / period;
    this.count();
    const { counted } = this;
    this.beyond = elapsed - counted * period;
    this.error = since - counted * period;
    const slip = this.slip();
    this.error -= slip * period;
    evidence.add(this);
    if (evidence.amount < 0 || evidence.failures > MAX_FAILURES || evidence.drifts(this))
      return this.restart();
    if (locked && this.isOff()) {
      // Either a single bad timestamp, or another lattice begins here.
      fit.error = late ? this.error : since - Math.max(0, Math.round(since / period)) * period;
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
    if (!locked && evidence.amount > this.patience) this.lock();
    if (!this.locked) return;
    this.age++;
    // From a timestamp off the lattice, the next refresh is not a whole number of periods away.
    if (!off && !slip) this.refreshes = counted;
  }

  /** Takes a pause of any length. A locked lattice continues after it. */
  skip(): void {
    const { fit, elapsed } = this;
    const since = fit.error + elapsed;
    this.error = since - Math.round(since / fit.period) * fit.period;
    this.refreshes = 0;
    fit.error = this.locked && elapsed < Infinity && !this.isOff() ? this.error : 0;
    this.off = 0;
  }

  /** Starts again, with the usual length of the last frames as the period. */
  restart(): void {
    if (this.locked)
      this.patience = this.age < LASTING ? Math.min(2 * this.patience, MAX_PATIENCE) : NEXT_PATIENCE;
    this.recent.findUsual();
    const { usual } = this.recent;
    this.fit.start(usual, LIKELY_NOISE * usual);
    this.measureNoise();
    this.evidence.clear();
    this.locked = this.late = false;
    this.off = this.beside = this.refreshes = 0;
  }

  private lock(): void {
    this.locked = true;
    this.age = 0;
    this.evidence.trust();
  }

  private measureNoise(): void {
    this.gridNoise = this.whole > 2 ? COARSE_NOISE : 0;
    const { variance, period } = this.fit;
    const min = Math.max(MIN_NOISE * period, this.gridNoise);
    // Most timestamps have less noise than that, which needs no root to see.
    this.noise = variance < 0.99 * min * min ? min : Math.max(Math.sqrt(variance), min);
  }

  private get isNoisy(): boolean {
    return this.noise > NOISY * this.fit.period;
  }

  private remember(): void {
    const { elapsed, recent } = this;
    recent.elapsed = elapsed;
    recent.add();
    this.whole = Math.abs(elapsed - Math.round(elapsed)) < 0.01 ? this.whole + 1 : 0;
    this.measureNoise();
  }

  /** Whether the usual length of frames is not the period. */
  private isOther(): boolean {
    const { period, points } = this.fit;
    this.recent.findUsual();
    return !period || Math.abs(this.recent.usual - period) > 0.25 * period + (points > 8 ? this.noise : 0);
  }

  /** Counts the refreshes, at least one, in `error`: here, the time since the refresh of the last frame. */
  private count(): void {
    const { error: since } = this;
    // Where timestamps may be late, only one that is nearly a whole period late means a dropped frame; with noise, one even later.
    const slack = Math.min(this.late ? 0.1 : 0.45, this.room);
    // The error of the timestamp before must not double the length of a frame.
    const max = Math.floor(this.periods + 0.6);
    this.counted = max > 1 ? Math.max(1, Math.min(Math.floor(since / this.fit.period + slack), max)) : 1;
  }

  /**
   * Returns by how many refreshes the count is too low. A single timestamp may be late by most of a period; if the next
   * ones are too, a frame was dropped.
   */
  private slip(): number {
    const { error } = this;
    const side = this.late && Math.abs(error) > 0.55 * this.fit.period ? (error > 0 ? 1 : -1) : 0;
    this.beside = side * this.beside > 0 ? this.beside + side : side;
    if (Math.abs(this.beside) < (this.isNoisy ? 4 : 2)) return 0;
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
