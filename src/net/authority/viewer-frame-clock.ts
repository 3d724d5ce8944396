/** How far the clock and the loop may differ in one frame, in milliseconds, for the loop to be believed. */
const TOLERANCE = 12;
/** The share of the difference to the clock that is corrected per frame. */
const CORRECTION = 0.05;
/** From this difference on, the time jumps to that of the clock. */
const MAX_DIFFERENCE = 50;

/**
 * Tells the time of a frame. Callbacks are called early or late by milliseconds, so the clock alone would let the picture shake. A
 * loop has smoothed that already: steps and alpha tell how much time it shows. If a loop follows the clock, its time is used.
 */
export class FrameClock {
  /** The clock, the loop and the time of the last frame. In an array, as fields would allocate each new number. */
  readonly #last = new Float64Array(3);
  #hasBegun = false;

  /** Returns the time of a frame. `shown` is the time that the loop shows, in milliseconds from any moment on. */
  frame(now: number, shown: number): number {
    const last = this.#last;
    const elapsed = now - last[0]!;
    const step = shown - last[1]!;
    let time = last[2]! + (Math.abs(step - elapsed) <= TOLERANCE ? step : elapsed);
    time += (now - time) * CORRECTION;
    if (!this.#hasBegun || !(Math.abs(now - time) < MAX_DIFFERENCE)) time = now;
    this.#hasBegun = true;
    last[0] = now;
    last[1] = shown;
    last[2] = Math.max(last[2]!, time);
    return last[2]!;
  }
}
