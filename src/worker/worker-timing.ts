import { requireNumber } from "../errors/index.js";
import type { ClockOffset } from "./clock-offset.js";
import type { ShownTime } from "./shown-time.js";

/** How far the picture of a session in a worker is behind, in milliseconds, and how often it had to wait. */
export class WorkerTiming {
  readonly #shown: ShownTime;
  readonly #clock: () => ClockOffset;

  /** @internal */
  constructor(shown: ShownTime, clock: () => ClockOffset) {
    this.#shown = shown;
    this.#clock = clock;
  }

  /** How far the picture is behind: it shows now, less this. Negative if it is ahead, with `"speculate"`. */
  get delay(): number {
    return this.#shown.delay;
  }
  /** The delay that the last states call for. `delay` moves towards it by at most 10 ms per second. */
  get wantedDelay(): number {
    return this.#shown.wantedDelay;
  }
  /** Pictures that were blended, and those of them that held the newest state, as the next one had not arrived. */
  get frames(): number {
    return this.#shown.frames;
  }
  get starvedFrames(): number {
    return this.#shown.starvedFrames;
  }
  /** How many states `lags` is made of: at most 2048. */
  get states(): number {
    return this.#shown.samples;
  }
  /** What to add to the page's clock, to get that of the worker; and how far off that can be at most. */
  get clockOffset(): number {
    return this.#clock().value;
  }
  get clockError(): number {
    return this.#clock().error;
  }

  /** Returns a quantile of the lag of the last states: `lagOf(0.5)` is the median. NaN if there was no state yet. */
  lagOf(share: number): number {
    requireNumber("WorkerTiming.lagOf: share", share, 0, 1, 0.5);
    return this.states === 0 ? NaN : this.#shown.lagAt(Math.ceil(share * (this.states - 1)));
  }

  /**
   * Returns the lags of the last states, sorted, for a histogram. The lag of a state is the time from when its step was due to when the
   * page could draw it: the delay that this state alone would call for.
   */
  lags(): Float64Array {
    return Float64Array.from({ length: this.states }, (_, rank) => this.#shown.lagAt(rank));
  }

  /** Returns the figures as plain data. */
  toJSON(): object {
    const { delay, wantedDelay, frames, starvedFrames, states, clockOffset, clockError } = this;
    return { delay, wantedDelay, frames, starvedFrames, states, clockOffset, clockError };
  }
}
