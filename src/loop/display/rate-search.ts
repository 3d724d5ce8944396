import type { DisplayClock } from "./display-clock.js";

/** The rate of most displays, in hertz: used if it cannot be found. */
const LIKELY_RATE = 60;
/** Milliseconds for which a rate is measured at least, and after which the search ends. */
const MIN_WAIT = 1000;
export const MAX_WAIT = 5000;
/** Few displays are slower than this, in hertz, but many pages start slowly: slow rates are measured for longer. */
const SLOW_RATE = 48;
const SLOW_WAIT = 2500;
/** How much a known rate must differ from the last one to count as another display. */
const CHANGE = 0.02;

/** After this many milliseconds in which each frame took the same number of refreshes, the display counts as a slower one. */
const SLOWER_DISPLAY = 10_000;

/** Finds the refresh rate of a display, and its changes. */
export class RateSearch {
  /** The rate that was found last, in hertz; 0 before. */
  found = 0;
  #waited = 0;
  /** For how long each frame has taken the same number of refreshes, and that number. */
  #repeated = 0;
  #refreshes = 0;

  /** Takes a frame that the display's clock has just passed. Returns whether the rate was found, or has changed. */
  take({ period, sure, locked, elapsed, refreshes }: DisplayClock): boolean {
    this.#repeated = refreshes > 0 && refreshes === this.#refreshes ? this.#repeated + elapsed : 0;
    this.#refreshes = refreshes;
    const hertz = 1e3 / period / (this.#repeated > SLOWER_DISPLAY ? refreshes : 1);
    if (this.found > 0) {
      // A frame of two refreshes may be a slow one, or one of a slower display: wait for more of them.
      if (refreshes !== 1 && this.#repeated < SLOWER_DISPLAY) return false;
      if (!sure || Math.abs(hertz / this.found - 1) < CHANGE) return false;
      return this.#find(hertz);
    }
    if (elapsed < Infinity) this.#waited += elapsed;
    const wait = hertz < SLOW_RATE ? SLOW_WAIT : MIN_WAIT;
    if (sure && this.#waited > wait) return this.#find(hertz);
    if (this.#waited < MAX_WAIT) return false;
    // Refreshes that can be counted make a better guess than the usual rate.
    return this.#find(locked ? hertz : LIKELY_RATE);
  }

  /** Ends a search that found nothing. */
  giveUp(): boolean {
    return this.found === 0 && this.#find(LIKELY_RATE);
  }

  /** Rounds to 0.001 Hz, so that the rate is a short fraction. */
  #find(hertz: number): boolean {
    this.found = Math.round(hertz * 1e3) / 1e3;
    return true;
  }
}
