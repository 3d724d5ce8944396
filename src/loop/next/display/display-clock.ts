import { CallbackLine } from "./callback-line.js";
import { Lattice } from "./lattice.js";
import type { LineFit } from "./line-fit.js";
import { within } from "../../../time/index.js";

/** A frame longer than this, in milliseconds, is a stall. */
const STALL = 250;
/** How far the time passed on may differ from whole refreshes, as a part of the frame: too little to see. */
const UNSEEN = 1 / 200;
/** The same while there is no lattice, where it adds to the timestamps' own noise. */
const UNSEEN_UNLOCKED = 1 / 1000;
/** A lock within these milliseconds is the first one. */
const START = 1000;
/** Frames over which the time passed on returns to the timestamps. */
const RETURN = 32;

/**
 * Estimates a display's refreshes from the timestamps of its frames, which may be rounded, late or noisy, and passes on the
 * time of whole refreshes. Without a lattice of refreshes, it passes on the time between timestamps. The sum follows the
 * timestamps, so nothing drifts. All times are in milliseconds.
 */
export class DisplayClock {
  /** Time between two refreshes, as far as is known. */
  period: number;
  /** Whether timestamps follow a lattice, and whole refreshes are passed on. */
  locked = false;
  /** Periods since the last frame, if both lie on the lattice; else 0. */
  refreshes = 0;
  /** Timestamp of the next frame, and its length, Infinity if unknown: set them, then call `pass`. Afterwards, the time passed on. */
  timestamp: number;
  elapsed: number;
  private readonly lattice = new Lattice();
  private readonly callbacks = new CallbackLine();
  /** How far the time passed on is ahead of the timestamps, and its limits in both directions. */
  private ahead: number;
  private maxBehind: number;
  private maxAhead: number;
  /** The time passed on before the first lock, and whether it has been rounded to whole refreshes. */
  private early: number;
  private isRounded = false;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.period = this.elapsed = this.ahead = 0.5;
    this.maxBehind = this.maxAhead = this.early = this.timestamp = 0.5;
    this.early = 0;
    this.period = this.elapsed = this.ahead = 0;
  }

  /** Whether timestamps are whole milliseconds. */
  get coarse(): boolean {
    return this.lattice.coarse && !this.callbacks.active;
  }

  /** Whether the period was fitted through enough frames to rely on it. */
  get isSettled(): boolean {
    return this.callbacks.active || this.lattice.isSettled;
  }

  /** Whether the period is known to about 0.03 %. */
  get sure(): boolean {
    return this.callbacks.active ? this.callbacks.isKnown : this.lattice.isKnown;
  }

  /** Takes a frame, `elapsed` after the last one. */
  pass(): void {
    const { lattice, callbacks, elapsed } = this;
    lattice.elapsed = callbacks.elapsed = elapsed;
    callbacks.timestamp = this.timestamp;
    this.refreshes = 0;
    if (elapsed > STALL) return lattice.skip();
    const wasCounting = callbacks.active;
    callbacks.take();
    if (callbacks.active) return this.passCallback();
    if (wasCounting) lattice.restart();
    if (elapsed > 0 || lattice.mayRepeat) this.passRefreshes();
  }

  private passRefreshes(): void {
    const { lattice, elapsed } = this;
    lattice.take();
    const { locked, late, noise, refreshes, fit } = lattice;
    const { period } = fit;
    this.period = period;
    this.locked = locked;
    this.refreshes = refreshes;
    // Late timestamps lie up to a period after their refreshes, so the time passed on may be that far behind them.
    this.maxBehind = (late ? 0.9 : 0.5) * period;
    this.maxAhead = late ? Math.min(this.maxBehind, Math.max(0.5 * period, 3 * noise)) : this.maxBehind;
    if (refreshes > 0 && !this.isRounded && this.early < START) this.passFirst(elapsed, fit);
    else if (refreshes > 0) this.passWhole(refreshes, fit);
    else {
      const max = Math.max(elapsed * UNSEEN_UNLOCKED, late ? noise / 8 : 0);
      this.elapsed = Math.max(0, elapsed - within(max, this.ahead / 8));
      this.ahead += this.elapsed - elapsed;
      this.stayNear();
      this.early += this.elapsed;
    }
  }

  /** Takes a frame for one refresh, as its timestamp is too coarse to count them. */
  private passCallback(): void {
    const { fit, jump, grid, locked } = this.callbacks;
    this.isRounded = true;
    const { period } = fit;
    this.period = period;
    this.locked = locked;
    this.refreshes = locked && jump === 0 ? 1 : 0;
    this.maxBehind = this.maxAhead = grid + period / 2;
    // What rounding does not explain is passed on at once: booked here, added below.
    this.ahead += jump;
    this.passWhole(1, fit);
    const moved = this.elapsed + jump;
    this.elapsed = Math.max(0, moved);
    this.ahead += this.elapsed - moved;
  }

  /** Passes on the time that makes a whole number of refreshes since the start: the first timestamp may have been late, too. */
  private passFirst(elapsed: number, { period, error }: LineFit): void {
    const early = this.early + elapsed;
    this.isRounded = true;
    this.elapsed = Math.max(0, Math.round(early / period) * period - this.early);
    this.ahead = -error;
  }

  /** Passes on whole refreshes, with a small correction towards the fitted line. */
  private passWhole(refreshes: number, { period, error }: LineFit): void {
    const { elapsed } = this;
    const whole = refreshes * period;
    this.elapsed = whole - within(whole * UNSEEN, (this.ahead + whole - elapsed + error) / RETURN);
    this.ahead += this.elapsed - elapsed;
    this.stayNear();
  }

  /** Returns towards the timestamps if the time passed on is too far from them: by up to a quarter of the frame, or as far as this frame left them. */
  private stayNear(): void {
    const { ahead, elapsed } = this;
    const excess = ahead - Math.max(-this.maxBehind, Math.min(this.maxAhead, ahead));
    if (excess === 0) return;
    const max = Math.max(Math.abs(elapsed - this.lattice.elapsed), elapsed / 4);
    this.elapsed = Math.max(0, elapsed - within(max, excess));
    this.ahead += this.elapsed - elapsed;
  }
}
