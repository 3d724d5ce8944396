import { exactRate, type DisplayClock, type ExactRate } from "../time/index.js";

/** The rate of most displays, in hertz: used until the rate is known, and if it cannot be found. */
export const LIKELY_RATE = 60;
/** Milliseconds for which a rate is measured at least, and after which the search ends. */
const MIN_WAIT = 1000;
const MAX_WAIT = 5000;
/** Few displays are slower than this, in hertz, but many pages start slowly: slow rates are measured for longer. */
const SLOW_RATE = 48;
const SLOW_WAIT = 2500;

/** Finds the display's refresh rate, for `rate: "display"`. */
export class DisplayRate {
  /** Milliseconds measured so far. */
  private waited = 0;

  /** Takes a frame that the display's clock has just passed. Returns the rate once the search has ended. */
  find({ period, sure, elapsed }: DisplayClock): ExactRate | undefined {
    this.waited += elapsed;
    const wait = period > 1e3 / SLOW_RATE ? SLOW_WAIT : MIN_WAIT;
    if (!(sure && this.waited > wait) && this.waited < MAX_WAIT) return undefined;
    return exactRate("Loop: rate", sure ? Math.round(1e6 / period) / 1e3 : LIKELY_RATE);
  }
}
