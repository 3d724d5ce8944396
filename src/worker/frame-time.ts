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

  /**
   * Replaces the time of the clock in `at[0]` by the time of the frame, in milliseconds. `at[1]` is the even time since the last one; NaN
   * if no loop tells it. As an array, as arguments and results would allocate.
   */
  correct(at: Float64Array): void {
    const last = this.#last;
    const now = at[0]!;
    const even = last[0]! + at[1]!;
    const corrected = Math.min(now, even + (now - even) * CORRECTION);
    const isEven = this.#hasBegun && now - corrected < MAX_DIFFERENCE;
    this.#hasBegun = true;
    // NaN, if no loop tells the time, is not even.
    if (isEven) at[0] = corrected;
    if (at[0]! < last[0]!) at[0] = last[0]!;
    last[0] = at[0]!;
  }
}
