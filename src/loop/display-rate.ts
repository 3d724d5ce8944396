import { badValue, requireKnownOptions } from "../errors/index.js";
import { exactRate, type DisplayClock, type ExactRate } from "../time/index.js";
import type { LoopOptions } from "./options.js";

/** The rate of most displays, in hertz: used until the rate is known, and if it cannot be found. */
const LIKELY_RATE = 60;
/** Milliseconds for which a rate is measured at least, and after which the search ends. */
const MIN_WAIT = 1000;
const MAX_WAIT = 5000;
/** Few displays are slower than this, in hertz, but many pages start slowly: slow rates are measured for longer. */
const SLOW_RATE = 48;
const SLOW_WAIT = 2500;
/** Maximum steps per refresh, and refreshes per step. With more steps, they could not be kept in sync. */
const MAX_RATIO = 32;

/** Finds the display's refresh rate, for `rate: "display"` and `rate: { display }`. */
export class DisplayRate {
  /** Milliseconds measured so far. */
  private waited = 0;

  /** `ratio` is the number of steps per refresh, as a fraction. */
  constructor(private readonly ratio: ExactRate) {}

  /** The rate on a display of 60 Hz. */
  get likely(): ExactRate {
    return this.on(LIKELY_RATE);
  }

  /** Takes a frame that the display's clock has just passed. Returns the rate once the search has ended. */
  find({ period, sure, elapsed }: DisplayClock): ExactRate | undefined {
    this.waited += elapsed;
    const wait = period > 1e3 / SLOW_RATE ? SLOW_WAIT : MIN_WAIT;
    if (!(sure && this.waited > wait) && this.waited < MAX_WAIT) return undefined;
    return this.on(sure ? 1e3 / period : LIKELY_RATE);
  }

  /** Returns the rate on a display with this refresh rate, which is rounded to 0.001 Hz. */
  private on(refreshRate: number): ExactRate {
    const [steps, refreshes] = this.ratio;
    return exactRate("Loop: rate", [Math.round(refreshRate * 1e3) * steps, 1e3 * refreshes]);
  }
}

/** Returns what finds the rate, if the option `rate` counts refreshes of the display and not hertz. */
export function displayRateOf(rate: LoopOptions["rate"]): DisplayRate | undefined {
  if (rate === "display") return new DisplayRate([1, 1]);
  if (typeof rate !== "object" || !rate || !("display" in rate)) return undefined;
  requireKnownOptions("Loop", rate, ["display"], "rate");
  return new DisplayRate(ratioOf(rate.display));
}

/** Returns a whole number of steps per refresh, or one step per whole number of refreshes, as a fraction. */
function ratioOf(display: number): ExactRate {
  // Not a number: no ratio.
  const ratio = typeof display === "number" ? display : 0;
  const steps = Math.max(1, Math.round(ratio));
  const refreshes = Math.max(1, Math.round(1 / ratio));
  // 1 / 3 is rounded, and 0.3333 is not 1 / 3.
  const isWhole = Math.abs((ratio * refreshes) / steps - 1) < 1e-9;
  if (!isWhole || steps > MAX_RATIO || refreshes > MAX_RATIO)
    badValue(
      "Loop: rate.display",
      `a whole number of steps per refresh, or 1 divided by a whole number, both up to ${MAX_RATIO}`,
      display,
      "{ display: 2 } or { display: 1 / 2 }",
    );
  return [steps, refreshes];
}
