import { LineFit } from "./line-fit.js";
import { within } from "./within.js";

/** Frames over which the mean frame is taken, and frames that the fit remembers. */
const WINDOW = 64;
const MEMORY = 512;
/** Part of the frames whose timestamp did not change, from which on callbacks are counted, and below which no more. */
const UNCHANGED = 0.02;
const CHANGED = 0.005;
/** How far from a multiple of the grid a frame may be, in parts of it. */
const OFF_GRID = 0.05;

/**
 * Paces frames whose timestamps are rounded to more than half a frame, as browsers do in privacy modes: to 16.67 or 100 ms.
 * Some timestamps do not change at all then. It takes each callback for one refresh, and fits a line through all of them.
 * All times are in milliseconds.
 */
export class CallbackLine {
  /** Whether timestamps are that coarse. */
  active = false;
  /** What timestamps are rounded to; 0 before it is known. */
  grid: number;
  /** Time that the last frame was further off than rounding explains: frames were dropped, or the display changed. */
  jump: number;
  private readonly fit = new LineFit(MEMORY);
  private frames = 0;
  private mean: number;
  private unchanged: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.grid = this.mean = this.unchanged = this.jump = 0.5;
    this.grid = this.mean = this.unchanged = this.jump = 0;
  }

  get period(): number {
    return this.fit.period;
  }

  /** How far the last timestamp lies after its refresh. */
  get error(): number {
    return this.fit.error;
  }

  /** Whether the line has enough points to go by it. */
  get locked(): boolean {
    return this.active && this.fit.points > WINDOW;
  }

  /** Takes a frame, `elapsed` milliseconds after the last one. */
  take(elapsed: number): void {
    const { fit } = this;
    this.observe(elapsed);
    const isCoarse = this.grid > this.mean / 2 && this.unchanged > (this.active ? CHANGED : UNCHANGED);
    if (isCoarse && !this.active) fit.start(this.mean, this.grid / 4);
    this.active = isCoarse;
    if (!isCoarse) return;
    const error = fit.error + elapsed - fit.period;
    this.jump = error - within(this.grid + fit.period / 2, error);
    if (this.jump) fit.points = Math.min(fit.points, WINDOW / 2);
    fit.add(1, error - this.jump, MEMORY);
  }

  /** Finds the grid: the shortest change, of which all others are multiples. */
  private observe(elapsed: number): void {
    this.mean += (elapsed - this.mean) / Math.min(++this.frames, WINDOW);
    this.unchanged += ((elapsed === 0 ? 1 : 0) - this.unchanged) / WINDOW;
    if (elapsed === 0) return;
    const parts = elapsed / this.grid;
    if (!this.grid || parts < 1 - OFF_GRID) this.grid = elapsed;
    else if (Math.abs(parts - Math.round(parts)) > OFF_GRID) this.grid = this.unchanged = 0;
  }
}
