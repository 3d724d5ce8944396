import type { DisplayClock } from "./display-clock.js";

/** Milliseconds without a frame as short as the shortest, after which the display counts as a slower one. */
const SHORTEST_EXPIRES = 60_000;
/** How near to a multiple of each other two periods must be to be taken for one. */
const NEAR = 0.03;

/**
 * Counts the refreshes of a display, including those that had no frame: if frames become half as fast, every second refresh shows
 * the previous picture again. All times are in milliseconds.
 */
export class RefreshCount {
  /** Time between two refreshes of the display, even if all frames take several. */
  period = 0;
  /** Refreshes since the last frame; 0 if the time since then is unknown or 0. */
  covered = 0;
  /** The shortest frame of the last minute, by a period that was well known; 0 before. */
  fastest = 0;
  /** Time since a frame was as short. */
  #sinceFastest = 0;
  /** The time that has passed, in refreshes, minus those counted. Carried to the next frame. */
  #uncovered = 0;

  /** Takes a frame that the display's clock has just passed. */
  take(clock: DisplayClock): void {
    const { elapsed, refreshes, locked } = clock;
    const hasTime = elapsed > 0 && elapsed < Infinity;
    if (hasTime) this.#findPeriod(clock);
    if (!locked) this.#uncovered = 0;
    if (!hasTime || !(locked || this.fastest > 0)) {
      this.covered = hasTime ? 1 : 0;
      return;
    }
    // Their sum follows the time that passes, even if late timestamps hide some.
    const passed = elapsed / this.period + this.#uncovered;
    const counted = refreshes > 0 ? Math.round((refreshes * clock.period) / this.period) : Math.round(passed);
    this.covered = Math.max(1, counted, locked ? Math.floor(passed + 0.25) : 0);
    this.#uncovered = locked ? Math.max(-1, Math.min(1, passed - this.covered)) : 0;
  }

  #findPeriod({ period, refreshes, elapsed, sure }: DisplayClock): void {
    const length = refreshes > 0 ? refreshes * period : Infinity;
    this.#sinceFastest = length < this.fastest * (1 + NEAR) ? 0 : this.#sinceFastest + elapsed;
    const isFastest = !this.fastest || length < this.fastest || this.#sinceFastest > SHORTEST_EXPIRES;
    if (isFastest && sure && refreshes > 0) this.fastest = length;
    // The period of the frames may be a multiple of the display's, or a part of it.
    const ratio = this.fastest / period;
    const nearest = ratio < 1 ? 1 / Math.round(1 / ratio) : Math.round(ratio);
    this.period = Math.abs(ratio / nearest - 1) < NEAR ? nearest * period : period;
  }
}
