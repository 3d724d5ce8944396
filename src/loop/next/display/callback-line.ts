import { LineFit } from "./line-fit.js";
import { within } from "../../../time/index.js";

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
export class CallbackLine {
  /** Whether timestamps are so coarse that callbacks are counted. */
  active = false;
  /** What timestamps are rounded to; 0 until it is known. */
  grid: number;
  /** Timestamp and length of the next frame: set them, then call `take`. */
  timestamp: number;
  elapsed: number;
  /** The part of the last frame's error that rounding does not explain: frames were dropped, or the display changed. */
  jump: number;
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
  private mean: number;
  private unchanged: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.grid = this.mean = this.unchanged = this.jump = this.elapsed = this.timestamp = 0.5;
    this.grid = this.mean = this.unchanged = this.jump = this.elapsed = 0;
  }

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
    this.regular = isOnGrid && Math.abs(this.gap - this.lastGap) <= 1 ? this.regular + 1 : 0;
    this.lastGap = this.gap;
    this.gap = 0;
  }
}
