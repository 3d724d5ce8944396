import { exactRate, type Rate } from "../time/index.js";
import type { FrameInfo, Writable } from "./info.js";

/** Seconds between the frames of a cap: NaN for every second frame, 0 for all. */
export function capPeriod(call: string, cap: Rate | "half"): number {
  if (cap === "half") return NaN;
  if (cap === Infinity) return 0;
  const [numerator, denominator] = exactRate(`${call}: frameCap`, cap, '60, "half" or Infinity');
  return denominator / numerator;
}

/** Leaves frames out, so that no more than so many are drawn a second. */
export class FrameCap {
  /** Seconds between frames, as `capPeriod` has them. */
  period: number;
  /** Real seconds since a frame was due. */
  private since: number;
  /** What has happened since the last one that was drawn. */
  private delta: number;
  private realDelta: number;
  private steps = 0;

  constructor(period: number) {
    // Fractions at first, so that engines hold these fields as doubles and never allocate for them.
    this.period = this.since = this.delta = this.realDelta = 0.5;
    this.period = period;
    this.restart();
  }

  /** Forgets what has happened; the next frame is due. */
  restart(): void {
    this.since = this.period || 1;
    this.delta = this.realDelta = this.steps = 0;
  }

  /** Whether a frame is left out; one that is not is told what happened in those that were. */
  skips(info: Writable<FrameInfo>): boolean {
    const { period } = this;
    const { realDelta } = info;
    this.since += realDelta;
    info.delta = this.delta += info.delta;
    info.realDelta = this.realDelta += realDelta;
    info.steps = this.steps += info.steps;
    // Half a frame early is nearer than half a frame late. Of half of them, every second one is drawn.
    if (period > 0 ? this.since < period - realDelta / 2 : period !== 0 && this.since === realDelta)
      return true;
    // What is left over is kept, so that the mean is right.
    this.since = period > 0 ? Math.min(this.since - period, period) : 0;
    this.delta = this.realDelta = this.steps = 0;
    return false;
  }
}
