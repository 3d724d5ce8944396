/** The share of a difference to the clock that is corrected per frame: if the clock is later, and if it is earlier. */
const SLOWLY = 0.02;
const QUICKLY = 0.5;
/** From this difference on, in milliseconds, the time is that of the clock. */
const MAX_DIFFERENCE = 50;

/**
 * Tells the time of a frame. Callbacks are called late by milliseconds, so the clock alone would let the picture shake. A loop knows how
 * many refreshes of the display have passed, which is an even time. Corrected so that it follows the most punctual frames: they must
 * not ask for a state before it is ready.
 */
export class FrameTime {
  readonly #last = new Float64Array(1);
  #hasBegun = false;

  /** Returns the time of a frame, in milliseconds. `elapsed` is the even time since the last one; NaN if no loop tells it. */
  at(now: number, elapsed: number): number {
    const last = this.#last;
    const before = last[0]!;
    const even = before + elapsed;
    const corrected = even + (now - even) * (now > even ? SLOWLY : QUICKLY);
    const isFar = !(Math.abs(now - corrected) < MAX_DIFFERENCE);
    const time = this.#hasBegun && !isFar ? corrected : now;
    this.#hasBegun = true;
    last[0] = Math.max(before, time);
    return last[0];
  }
}
