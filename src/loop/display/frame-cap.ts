import { exactRate, type Rate } from "../rate.js";
import type { FrameInfo, Writable } from "../info.js";
import type { Loop } from "../loop.js";
import type { Part } from "../part.js";

/** Limits the frames that are drawn per second, by leaving some out. Steps still run on time. */
export class FrameCap implements Part {
  /** Seconds between frames; Infinity for every second frame. */
  readonly #period: number;
  /** Real seconds since a frame was due. */
  #since: number;
  /** Sums of the frames since the last one that was drawn. */
  #delta = 0;
  #realDelta = 0;
  #steps = 0;
  /** Whether the last frame was left out. */
  #skipped = true;

  constructor(
    private readonly loop: Loop,
    cap: Rate | "half",
  ) {
    this.#period = periodOf(cap);
    this.#since = this.#period;
  }

  /** The next frame is drawn: one of `runSteps`, too. */
  force(): void {
    this.#since = this.#period;
    this.#skipped = true;
  }

  reset(): void {
    this.force();
    this.#delta = this.#realDelta = this.#steps = 0;
  }

  /** Decides whether to leave a frame out. The next frame that is drawn includes the time and steps of those left out. */
  present(info: Writable<FrameInfo>): void {
    const period = this.#period;
    const { realDelta } = info;
    this.#since += realDelta;
    info.delta = this.#delta += info.delta;
    info.realDelta = this.#realDelta += realDelta;
    info.steps = this.#steps += info.steps;
    // Half a frame early is nearer than half a frame late.
    const isDue = period === Infinity ? this.#skipped : this.#since >= period - realDelta / 2;
    this.#skipped = !isDue;
    if (!isDue) return this.loop.skipFrame();
    // Keep the remainder, so that the mean rate is exact.
    this.#since = period === Infinity ? 0 : Math.min(this.#since - period, period);
    this.#delta = this.#realDelta = this.#steps = 0;
  }
}

/** Returns the seconds between frames: Infinity for every second frame. Throws if the cap is neither. */
export function periodOf(cap: Rate | "half"): number {
  if (cap === "half") return Infinity;
  const [numerator, denominator] = exactRate("display: frameCap", cap, '60 or "half"');
  return denominator / numerator;
}
