import { exactRate, type Rate } from "../time/index.js";
import type { FrameInfo, Writable } from "./info.js";

/** Returns the seconds between frames for a cap: 0 for no cap, Infinity for every second frame. */
export function capPeriod(call: string, cap: Rate | "half"): number {
  if (cap === "half") return Infinity;
  if (cap === Infinity) return 0;
  const [numerator, denominator] = exactRate(`${call}: frameCap`, cap, '60, "half" or Infinity');
  return denominator / numerator;
}

/** Limits the frames that are drawn per second, by leaving some out. */
export class FrameCap {
  /** Seconds between frames: see `capPeriod`. */
  period: number;
  /** Real seconds since a frame was due. */
  private since: number;
  /** Sums of the frames since the last one that was drawn. */
  private delta: number;
  private realDelta: number;
  private steps = 0;
  /** Whether the last frame was left out. */
  private skipped = false;

  constructor(period: number) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.period = this.since = this.delta = this.realDelta = 0.5;
    this.period = period;
    this.restart();
  }

  /** Starts again: the next frame is drawn. */
  restart(): void {
    this.since = this.period;
    this.delta = this.realDelta = this.steps = 0;
    this.skipped = true;
  }

  /** Returns whether to leave a frame out. The next frame that is drawn includes the time and steps of those left out. */
  skips(info: Writable<FrameInfo>): boolean {
    const { period } = this;
    const { realDelta } = info;
    this.since += realDelta;
    info.delta = this.delta += info.delta;
    info.realDelta = this.realDelta += realDelta;
    info.steps = this.steps += info.steps;
    // Half a frame early is nearer than half a frame late.
    const isDue = period === Infinity ? this.skipped : this.since >= period - realDelta / 2;
    this.skipped = !isDue;
    if (!isDue) return true;
    // Keep the remainder, so that the mean rate is exact.
    this.since = period === Infinity ? 0 : Math.min(this.since - period, period);
    this.delta = this.realDelta = this.steps = 0;
    return false;
  }
}
