import { Lattice, LineFit, within } from "./lattice.js";

/** A frame longer than this, in milliseconds, is a stall. */
const STALL = 250;
/** How far the time passed on may differ from whole refreshes, as a part of the frame: too little to see. */
const UNSEEN = 1 / 200;
/** The same while there is no lattice, where it adds to the timestamps' own noise. */
const UNSEEN_UNLOCKED = 1 / 1000;
/** Frames over which the time passed on returns to the timestamps. */
const RETURN = 32;

/**
 * Estimates a display's refreshes from the timestamps of its frames, which may be rounded, late or noisy, and passes on the
 * time of whole refreshes. Without a lattice of refreshes, it passes on the time between timestamps. The sum follows the
 * timestamps, so nothing drifts. All times are in milliseconds.
 */
export class DisplayClock {
  /** Time between two refreshes, as far as is known. */
  period = 0;
  /** Whether timestamps follow a lattice, and whole refreshes are passed on. */
  locked = false;
  /** Whether single timestamps may be late, by up to a period. */
  late = false;
  /** Periods since the last frame, if both lie on the lattice; else 0. */
  refreshes = 0;
  /** Timestamp of the next frame, and its length, Infinity if unknown: set them, then call `pass`. Afterwards, the time passed on. */
  timestamp = 0;
  elapsed = 0;
  private readonly lattice = new Lattice();
  private readonly callbacks = new CallbackLine();
  /** How far the time passed on is ahead of the timestamps, and its limit in both directions. */
  ahead = 0;
  private maxAhead = 0;

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
    const { locked, late, refreshes, fit } = lattice;
    const { period } = fit;
    this.period = period;
    this.locked = locked;
    this.late = late;
    this.refreshes = refreshes;
    // Late timestamps lie up to a period after their refreshes, so the time passed on may be that far from them.
    this.maxAhead = (late ? 0.9 : 0.5) * period;
    if (refreshes > 0) this.passWhole(refreshes, fit);
    else {
      this.elapsed = elapsed - within(elapsed * UNSEEN_UNLOCKED, this.ahead / 8);
      this.ahead += this.elapsed - elapsed;
      this.stayNear();
    }
  }

  /** Takes a frame for one refresh, as its timestamp is too coarse to count them. */
  private passCallback(): void {
    const { fit, jump, grid, locked } = this.callbacks;
    const { period } = fit;
    this.period = period;
    this.locked = locked;
    this.refreshes = locked && jump === 0 ? 1 : 0;
    this.maxAhead = grid + period / 2;
    // What rounding does not explain is passed on at once: booked here, added below.
    this.ahead += jump;
    this.passWhole(1, fit);
    const moved = this.elapsed + jump;
    this.elapsed = Math.max(0, moved);
    this.ahead += this.elapsed - moved;
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
    const excess = ahead - within(this.maxAhead, ahead);
    if (excess === 0) return;
    const max = Math.max(Math.abs(elapsed - this.lattice.elapsed), elapsed / 4);
    this.elapsed = Math.max(0, elapsed - within(max, excess));
    this.ahead += this.elapsed - elapsed;
  }
}

/** Frames over which the mean length is taken, and frames in the fit's memory. */
const WINDOW = 64;
const MEMORY = 512;
/** Counting callbacks begins when more than the first fraction of timestamps repeat the one before, and ends at the second. */
const UNCHANGED = 0.02;
const CHANGED = 0.005;
/** Changes that must fit the grid before it is trusted: the first one may be a stall. */
const FEW_CHANGES = 3;
/** How far a frame may be from a multiple of the grid, in grids; and the same for timestamps themselves. */
const OFF_GRID = 0.05;
const STAMP_OFF_GRID = 0.002;
/** Counting begins, too, after this many frames of two grids at regular distances. */
const REGULAR = 6;

/**
 * Paces frames whose timestamps are rounded to more than half a frame, as by browsers in privacy modes: to 16.67 or 100 ms.
 * Some consecutive timestamps are then equal; or, if frames are a bit longer than the grid, some frames take two grids, at
 * regular distances. It takes each callback for one refresh, and fits a line through all of them.
 * All times are in milliseconds.
 */
class CallbackLine {
  /** Whether timestamps are so coarse that callbacks are counted. */
  active = false;
  /** What timestamps are rounded to; 0 until it is known. */
  grid = 0;
  /** Timestamp and length of the next frame: set them, then call `take`. */
  timestamp = 0;
  elapsed = 0;
  /** The part of the last frame's error that rounding does not explain: frames were dropped, or the display changed. */
  jump = 0;
  /** A line through all callbacks. */
  readonly fit = new LineFit(MEMORY);
  private frames = 0;
  /** Changes of the timestamp that fit the grid. */
  private changes = 0;
  /** Frames since the last one of two grids, the same before that one, and how many distances in a row were alike. */
  private gap = 0;
  private lastGap = 0;
  private regular = 0;
  /** Frames since the timestamp changed. */
  private still = 0;
  /** The mean length of a frame, and the part of the timestamps that did not change. */
  private mean = 0;
  private unchanged = 0;

  /** Whether the line has enough points to rely on. */
  get locked(): boolean {
    return this.active && this.fit.points > WINDOW;
  }

  /** Whether the period is known to about three parts in ten thousand, by the error of a line through rounded points. */
  get isKnown(): boolean {
    const { points, period } = this.fit;
    return this.active && this.grid / Math.sqrt(points * points * points) < 3e-4 * period;
  }

  /** Takes a frame. */
  take(): void {
    const { fit } = this;
    this.observe();
    const isCoarse =
      this.changes >= FEW_CHANGES &&
      this.grid > this.mean / 2 &&
      (this.regular >= REGULAR || this.unchanged > (this.active ? CHANGED : UNCHANGED));
    if (isCoarse && !this.active) fit.start(this.mean, this.grid / 4);
    this.active = isCoarse;
    if (!isCoarse) return;
    const error = fit.error + this.elapsed - fit.period;
    fit.error = within(this.grid + fit.period / 2, error);
    this.jump = error - fit.error;
    if (this.jump !== 0) fit.points = Math.min(fit.points, WINDOW / 2);
    fit.add(1, MEMORY);
  }

  /** Finds the grid: the shortest change, of which all others are multiples. Waits while the timestamp does not change. */
  private observe(): void {
    const { elapsed, grid } = this;
    this.still++;
    if (elapsed === 0) return;
    const frames = this.still;
    const isSingle = frames === 1;
    this.frames = Math.min(this.frames + frames, WINDOW);
    const share = Math.min(1, frames / WINDOW);
    const weight = this.frames === WINDOW ? share : Math.min(1, frames / this.frames);
    // Most frames are single. Division is slow.
    this.mean += weight * ((isSingle ? elapsed : elapsed / frames) - this.mean);
    this.unchanged += share * ((isSingle ? 0 : (frames - 1) / frames) - this.unchanged);
    this.still = 0;
    const parts = grid ? elapsed / grid : 1;
    this.observeGaps(Math.round(parts));
    if (!grid) this.grid = elapsed;
    // Not a multiple: the grid is finer.
    else if (Math.abs(parts - Math.max(1, Math.round(parts))) > OFF_GRID) {
      this.grid = elapsed;
      this.unchanged = this.changes = 0;
    } else this.changes++;
  }

  /** Counts regular distances between frames of two grids. Dropped frames are not regular, and their timestamps not on a grid. */
  private observeGaps(parts: number): void {
    const cells = this.timestamp / (this.grid || 1);
    const isOnGrid = Math.abs(cells - Math.round(cells)) < STAMP_OFF_GRID;
    this.gap++;
    if (!isOnGrid || parts > 2) this.regular = 0;
    if (parts !== 2) return;
    this.regular = isOnGrid && this.gap > 1 && Math.abs(this.gap - this.lastGap) <= 1 ? this.regular + 1 : 0;
    this.lastGap = this.gap;
    this.gap = 0;
  }
}
