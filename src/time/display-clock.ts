import { CallbackLine } from "./callback-line.js";
import { Lattice } from "./lattice.js";
import type { LineFit } from "./line-fit.js";
import { within } from "./within.js";

/** A frame longer than this, in milliseconds, is a stall. */
const STALL = 250;
/** How far the time passed on may differ from whole refreshes, as a part of the frame: too little to see. */
const UNSEEN = 1 / 200;
/** The same while there is no lattice, where it adds to the timestamps' own noise. */
const UNSEEN_UNLOCKED = 1 / 1000;
/** Frames over which the time passed on returns to the timestamps. */
const RETURN = 32;
/** Milliseconds without a frame of the fastest period, after which the display counts as a slower one. */
const FASTEST_EXPIRES = 60_000;
/** How near to a multiple of the fastest period a period must be to be one. */
const NEAR = 0.03;

/**
 * Estimates a display's refreshes from the timestamps of its frames, which may be rounded, late or noisy, and passes on the
 * time of whole refreshes. Without a lattice of refreshes, it passes on the time between timestamps. The sum follows the
 * timestamps, so nothing drifts. All times are in milliseconds.
 */
export class DisplayClock {
  /** Time between two refreshes, as far as is known. */
  period: number;
  /** The shortest period that was well known in the last minute; 0 before. */
  fastest: number;
  /** Whether timestamps follow a lattice, and whole refreshes are passed on. */
  locked = false;
  /** Periods since the last frame, if both lie on the lattice; else 0. */
  refreshes = 0;
  /**
   * Refreshes since the last frame, counted by the fastest period, so including those that had no frame. Off the lattice, the
   * best guess; 0 if the time since the last frame is unknown or 0.
   */
  covered = 0;
  /** The period as a multiple of the fastest one; 1 if it is not a whole multiple. */
  multiple = 1;
  /** Length of the next frame, Infinity if unknown: set it, then call `pass`. Afterwards, the time passed on. */
  elapsed: number;
  private readonly lattice = new Lattice();
  private readonly callbacks = new CallbackLine();
  /** How far the time passed on is ahead of the timestamps, and its limits in both directions. */
  private ahead: number;
  private maxBehind: number;
  private maxAhead: number;
  /** Time since a frame took one refresh of the fastest period. */
  private sinceFastest: number;
  /** The time passed on, in refreshes, minus the refreshes counted in `covered`. Carried to the next frame. */
  private uncovered: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.period = this.elapsed = this.ahead = this.fastest = this.sinceFastest = this.uncovered = 0.5;
    this.maxBehind = this.maxAhead = 0.5;
    this.period = this.elapsed = this.ahead = this.fastest = this.sinceFastest = this.uncovered = 0;
  }

  /** Whether timestamps are whole milliseconds. */
  get coarse(): boolean {
    return this.lattice.coarse && !this.callbacks.active;
  }

  /** Whether the period is known to about 0.03 %. */
  get sure(): boolean {
    return this.callbacks.active ? this.callbacks.isKnown : this.lattice.isKnown;
  }

  /** Takes a frame, `elapsed` after the last one. */
  pass(): void {
    const { lattice, callbacks, elapsed } = this;
    lattice.elapsed = callbacks.elapsed = elapsed;
    this.refreshes = 0;
    if (elapsed > STALL) {
      this.guess();
      return lattice.skip();
    }
    const wasCounting = callbacks.active;
    callbacks.take();
    if (callbacks.active) return this.passCallback();
    if (wasCounting) lattice.restart();
    if (elapsed > 0 || lattice.mayRepeat) this.passRefreshes();
    else this.covered = 0;
  }

  /** Guesses `covered` from the frame's length alone. */
  private guess(): void {
    const { elapsed, period, multiple } = this;
    const isKnown = period > 0 && (this.locked || this.fastest > 0);
    if (elapsed === Infinity || elapsed === 0) this.covered = 0;
    else this.covered = isKnown ? Math.max(1, Math.round((elapsed * multiple) / period)) : 1;
  }

  private passRefreshes(): void {
    const { lattice, elapsed } = this;
    lattice.take();
    const { locked, late, noise, refreshes, fit } = lattice;
    const { period } = fit;
    // Before it knows the new period.
    if (refreshes === 0) this.guess();
    this.period = period;
    this.locked = locked;
    this.refreshes = refreshes;
    // Late timestamps lie up to a period after their refreshes, so the time passed on may be that far behind them.
    this.maxBehind = (late ? 0.9 : 0.5) * period;
    this.maxAhead = late ? Math.min(this.maxBehind, Math.max(0.5 * period, 3 * noise)) : this.maxBehind;
    if (refreshes > 0) this.passWhole(refreshes, fit);
    else {
      const max = Math.max(elapsed * UNSEEN_UNLOCKED, late ? noise / 8 : 0);
      this.elapsed = Math.max(0, elapsed - within(max, this.ahead / 8));
      this.ahead += this.elapsed - elapsed;
      this.stayNear();
    }
    this.findFastest();
    if (locked) this.cover();
    else this.uncovered = 0;
  }

  /** Takes a frame for one refresh, as its timestamp is too coarse to count them. */
  private passCallback(): void {
    const { fit, jump, grid, locked } = this.callbacks;
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
    this.multiple = 1;
    this.covered = Math.max(1, Math.round(this.elapsed / period));
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

  /** Remembers the fastest period, and what multiple of it the period is. */
  private findFastest(): void {
    const { period, refreshes } = this;
    const ratio = period / this.fastest;
    this.sinceFastest = refreshes === 1 && ratio < 1 + NEAR ? 0 : this.sinceFastest + this.elapsed;
    const isFastest = !this.fastest || ratio < 1 || this.sinceFastest > FASTEST_EXPIRES;
    this.multiple = 1;
    if (isFastest && refreshes > 0 && this.lattice.isSettled) this.fastest = period;
    else if (this.fastest && ratio >= 1.5) {
      const multiple = Math.round(ratio);
      if (Math.abs(ratio / multiple - 1) < NEAR) this.multiple = multiple;
    }
  }

  /** Counts the refreshes of a frame so that their sum follows the time passed on, even if late timestamps hide some. */
  private cover(): void {
    const { refreshes, multiple } = this;
    const passed = (this.elapsed * multiple) / this.period + this.uncovered;
    this.covered = Math.max(
      1,
      refreshes > 0 ? refreshes * multiple : this.covered,
      Math.floor(passed + 0.25),
    );
    this.uncovered = Math.max(-1, Math.min(1, passed - this.covered));
  }
}
