import { exactRate, type Rate } from "../time/index.js";
import type { FrameInfo, Writable } from "./info.js";

/** Leaves frames out, so that no more than so many are drawn a second. */
export class FrameCap {
  /** Seconds between frames; NaN for every second frame, 0 for all. */
  private readonly period: number;
  /** Real seconds since a frame was due. */
  private since: number;
  /** What has happened since the last one that was drawn. */
  private delta: number;
  private realDelta: number;
  private steps = 0;

  constructor(call: string, cap: Rate | "half") {
    const [numerator, denominator] = cap === "half" ? [0, 0] : exactRate(`${call}: frameCap`, cap);
    this.period = denominator / numerator;
    // Fractions at first, so that engines hold these fields as doubles. The first frame is due.
    this.since = this.delta = this.realDelta = 0.5;
    this.since = this.period || 1;
    this.delta = this.realDelta = 0;
  }

  /** Whether a frame is left out; one that is not is told what happened in those that were. */
  skips(info: Writable<FrameInfo>): boolean {
    const { period } = this;
    const { realDelta } = info;
    this.since += realDelta;
    info.delta = this.delta += info.delta;
    info.realDelta = this.realDelta += realDelta;
    info.steps = this.steps += info.steps;
    // Half a frame early is nearer than half a frame late.
    if (period > 0 ? this.since < period - realDelta / 2 : this.since === realDelta) return true;
    // What is left over is kept, so that the mean is right.
    this.since = period > 0 ? Math.min(this.since - period, period) : 0;
    this.delta = this.realDelta = this.steps = 0;
    return false;
  }
}

/** The cap for what was asked, if it is any. */
export const capOf = (call: string, cap: Rate | "half") =>
  cap === Infinity ? undefined : new FrameCap(call, cap);
