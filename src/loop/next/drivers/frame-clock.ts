import { requireNumber } from "../../../errors/index.js";

/** A clock that steps back by less than this, in milliseconds, is waited for. One that leaps back is followed. */
const MAX_STEP_BACK = 250;

/** Turns the timestamps of frames into elapsed time. All times are in milliseconds. */
export class FrameClock {
  /** Time since the last frame: NaN for a first frame, negative if the clock went back. */
  elapsed: number;
  /** The last timestamp; NaN before the first. */
  private last: number;
  /** Time that is no game time, as the first frame took it to draw. */
  private forgiven: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.elapsed = this.last = this.forgiven = 0.5;
    this.restart();
  }

  /** The next frame only sets the clock. */
  restart(): void {
    this.elapsed = this.last = NaN;
    this.forgiven = 0;
  }

  /** Takes the timestamp of a frame. */
  take(timestamp: number): void {
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    this.elapsed = timestamp - this.last;
    if (!(this.elapsed <= 0 && this.elapsed >= -MAX_STEP_BACK)) this.last = timestamp;
  }

  /** Whether this frame only sets the clock. */
  get isFirst(): boolean {
    return Number.isNaN(this.elapsed);
  }

  /** Does not count some milliseconds of the next frame. */
  forgive(milliseconds: number): void {
    this.forgiven = Math.max(0, milliseconds);
  }

  /** Returns the game time of a frame in seconds, of which `elapsed` milliseconds have passed. */
  secondsOf(elapsed: number): number {
    const { forgiven } = this;
    this.forgiven = 0;
    return elapsed > forgiven ? (elapsed - forgiven) / 1e3 : 0;
  }
}
