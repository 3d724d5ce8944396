import type { DisplayClock } from "./display-clock.js";

/** Milliseconds without a frame of the fastest period, after which the display counts as a slower one. */
const FASTEST_EXPIRES = 60_000;
/** How near to a multiple of the fastest period a period must be to be one. */
const NEAR = 0.03;

/**
 * Counts the refreshes of a display, including those that had no frame: if frames become half as fast, every second refresh shows
 * the previous picture again. All times are in milliseconds.
 */
export class RefreshCount {
  /** The shortest period that was well known in the last minute; 0 before. */
  fastest = 0;
  /** The period as a multiple of the fastest one; 1 if it is not a whole multiple. */
  multiple = 1;
  /** Refreshes since the last frame; 0 if the time since then is unknown or 0. */
  covered = 0;
  /** Time since a frame took one refresh of the fastest period. */
  #sinceFastest = 0;
  /** The time that has passed, in refreshes, minus those counted. Carried to the next frame. */
  #uncovered = 0;

  /** Takes a frame that the display's clock has just passed. */
  take(clock: DisplayClock): void {
    const { elapsed, period, refreshes, locked } = clock;
    const isKnown = period > 0 && (locked || this.fastest > 0);
    const hasTime = elapsed > 0 && elapsed < Infinity;
    if (hasTime) this.#findFastest(clock);
    if (!locked) this.#uncovered = 0;
    if (!hasTime || !isKnown) {
      this.covered = hasTime ? 1 : 0;
      return;
    }
    // Their sum follows the time that passes, even if late timestamps hide some.
    const passed = (elapsed * this.multiple) / period + this.#uncovered;
    const counted = refreshes > 0 ? refreshes * this.multiple : Math.round(passed);
    this.covered = Math.max(1, counted, locked ? Math.floor(passed + 0.25) : 0);
    this.#uncovered = locked ? Math.max(-1, Math.min(1, passed - this.covered)) : 0;
  }

  #findFastest({ period, refreshes, elapsed, isSettled }: DisplayClock): void {
    const ratio = period / this.fastest;
    this.#sinceFastest = refreshes === 1 && ratio < 1 + NEAR ? 0 : this.#sinceFastest + elapsed;
    const isFastest = !this.fastest || ratio < 1 || this.#sinceFastest > FASTEST_EXPIRES;
    this.multiple = 1;
    if (isFastest && refreshes > 0 && isSettled) this.fastest = period;
    else if (this.fastest && ratio >= 1.5) {
      const multiple = Math.round(ratio);
      if (Math.abs(ratio / multiple - 1) < NEAR) this.multiple = multiple;
    }
  }
}
