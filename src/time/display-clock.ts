import { CallbackLine } from "./callback-line.js";
import { Lattice } from "./lattice.js";
import { within } from "./within.js";

/** A frame longer than this, in milliseconds, is a stall. */
const STALL = 250;
/** Largest part of a frame by which the time passed on may differ from whole refreshes: too little to see. */
const UNSEEN = 1 / 200;
/** The same while there is no lattice, where it adds to the timestamps' own noise. */
const UNSEEN_UNLOCKED = 1 / 1000;
/** Frames over which the time passed on returns to the timestamps. */
const RETURN = 32;
/** Milliseconds after which a display that was faster before is a slower one now, and does not just drop frames. */
const SLOWER_DISPLAY = 60_000;
/** How near to a multiple of the fastest period a period must be to be one. */
const NEAR = 0.03;

/**
 * Estimates when a display refreshes from the timestamps of its frames, and passes on whole refreshes instead of
 * timestamps that are rounded, late or noisy. Without a lattice of refreshes, it passes on what the timestamps say.
 * The sum follows the timestamps, so nothing drifts. All times are in milliseconds.
 */
export class DisplayClock {
  /** Time between two refreshes, as far as is known. */
  period: number;
  /** The shortest period that was known well in the last minute; 0 before. */
  fastest: number;
  /** Whether timestamps follow a lattice, and whole refreshes are passed on. */
  locked = false;
  /** Periods since the last frame, if both lie on the lattice; else 0. */
  refreshes = 0;
  /**
   * Refreshes since the last frame by the fastest period, of which the display may have missed most; the best guess off the
   * lattice; 0 if the time since the last frame is not known, or none.
   */
  covered = 0;
  /** How many times the fastest period the period is, if that is a whole number; else 1. */
  multiple = 1;
  /** Time passed on for the last frame. */
  elapsed: number;
  private readonly lattice = new Lattice();
  private readonly callbacks = new CallbackLine();
  /** How far the time passed on is ahead of the timestamps. */
  private ahead: number;
  /** Time since a frame took one refresh of the fastest period. */
  private sinceFastest: number;
  /** Refreshes passed on and not yet in `covered`. */
  private uncovered: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.period = this.elapsed = this.ahead = this.fastest = this.sinceFastest = this.uncovered = 0.5;
    this.period = this.elapsed = this.ahead = this.fastest = this.sinceFastest = this.uncovered = 0;
  }

  /** Whether timestamps are whole milliseconds. */
  get coarse(): boolean {
    return this.lattice.coarse;
  }

  /** Whether the period is known to about three parts in ten thousand. */
  get sure(): boolean {
    return this.lattice.isKnown(3e-4);
  }

  /** Takes a frame, `elapsed` milliseconds after the last one; Infinity if that is unknown. */
  pass(elapsed: number): void {
    const { lattice, callbacks } = this;
    this.elapsed = elapsed;
    this.refreshes = 0;
    this.covered = this.guess(elapsed);
    if (elapsed > STALL) return lattice.skip(elapsed);
    const wasCounting = callbacks.active;
    callbacks.take(elapsed);
    if (callbacks.active) return this.passCallback();
    if (wasCounting) lattice.restart();
    if (elapsed > 0 || lattice.mayRepeat) this.passRefreshes();
  }

  /** Refreshes that a frame covers, by its length alone. */
  private guess(elapsed: number): number {
    if (elapsed === Infinity || elapsed === 0) return 0;
    const isKnown = this.locked || this.fastest > 0;
    return isKnown ? Math.max(1, Math.round((elapsed * this.multiple) / this.period)) : 1;
  }

  private passRefreshes(): void {
    const { lattice, elapsed } = this;
    lattice.take(elapsed);
    const { period, locked, late, noise, refreshes } = lattice;
    this.period = period;
    this.locked = locked;
    // Late timestamps may be further behind than ahead.
    const behind = (late ? 0.9 : 0.5) * period;
    const before = late ? Math.min(behind, Math.max(0.5 * period, 3 * noise)) : behind;
    this.refreshes = refreshes;
    if (refreshes > 0) this.advance(this.towards(refreshes * period, lattice.error), behind, before);
    else {
      const most = Math.max(elapsed * UNSEEN_UNLOCKED, late ? noise / 8 : 0);
      this.advance(elapsed - within(most, this.ahead / 8), behind, before);
    }
    this.findFastest();
    if (locked) this.cover();
    else this.uncovered = 0;
  }

  /** Remembers the fastest period, and what multiple of it the period is. */
  private findFastest(): void {
    const { period, refreshes } = this;
    const ratio = period / this.fastest;
    this.sinceFastest = refreshes === 1 && ratio < 1 + NEAR ? 0 : this.sinceFastest + this.elapsed;
    const isFaster = !this.fastest || ratio < 1 || this.sinceFastest > SLOWER_DISPLAY;
    if (isFaster && refreshes > 0 && this.lattice.isSettled) this.fastest = period;
    const multiple = this.fastest ? Math.round(period / this.fastest) : 1;
    this.multiple = multiple > 1 && Math.abs(period / this.fastest / multiple - 1) < NEAR ? multiple : 1;
  }

  /** Counts the refreshes of a frame so that their sum follows the time, even if late timestamps hide some. */
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

  /** Takes a frame for one refresh, as its timestamp does not tell. */
  private passCallback(): void {
    const { period, jump, error, grid, locked } = this.callbacks;
    this.period = period;
    this.locked = locked;
    this.refreshes = locked && !jump ? 1 : 0;
    this.covered = Math.max(1, Math.round((period + jump) / period));
    const most = grid + period / 2;
    this.advance(jump + this.towards(period, error + jump), most, most);
  }

  /** Whole refreshes, bent a little towards the lattice, of which the timestamp is `error` late. */
  private towards(whole: number, error: number): number {
    const deviation = this.ahead + whole - this.elapsed + error;
    return whole - within(whole * UNSEEN, deviation / RETURN);
  }

  /** Passes on a time. If that leads too far behind or before the timestamps, it goes back by up to a quarter of the frame. */
  private advance(time: number, behind: number, before: number): void {
    const { elapsed } = this;
    const ahead = this.ahead + time - elapsed;
    const excess = ahead - Math.max(-behind, Math.min(before, ahead));
    this.elapsed = Math.max(0, time - within(Math.max(Math.abs(time - elapsed), time / 4), excess));
    this.ahead += this.elapsed - elapsed;
  }
}
