/** The share of a difference to the clock that is corrected per frame. */
const CORRECTION = 0.02;
/** From this difference on, in milliseconds, the time is that of the clock. */
const MAX_DIFFERENCE = 50;

/**
 * Tells the time of a frame. Callbacks are called late by milliseconds, so the clock alone would let the picture shake. A loop knows how
 * many refreshes of the display have passed, which is an even time. It follows the most punctual frames, and is never later than the
 * clock: a frame must not ask for a state before it is ready.
 */
export class FrameTime {
  readonly #last = new Float64Array(1);
  #hasBegun = false;

  /** Returns the time of a frame, in milliseconds. `elapsed` is the even time since the last one; NaN if no loop tells it. */
  at(now: number, elapsed: number): number {
    const last = this.#last;
    const before = last[0]!;
    const even = before + elapsed;
    const corrected = Math.min(now, even + (now - even) * CORRECTION);
    const isFar = !(Math.abs(now - corrected) < MAX_DIFFERENCE);
    const time = this.#hasBegun && !isFar ? corrected : now;
    this.#hasBegun = true;
    last[0] = Math.max(before, time);
    return last[0];
  }
}
