import type { DisplayClock } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { FrameInfo } from "./info.js";
import type { Policy } from "./policy.js";
import type { Tally } from "./tally.js";

/** Measures how evenly the picture moves on a display: judder, dropped frames, and irregular step counts. */
export class MotionMeter {
  /** The time that the last drawn frame showed; NaN before the first. */
  private lastShown: number;
  /** Refreshes of the frames that a frame cap has left out since then. */
  private undrawn = 0;

  constructor() {
    // A fraction first: engines then store this field as a double and never allocate for it.
    this.lastShown = 0.5;
    this.lastShown = NaN;
  }

  /** Records a frame that is not drawn. */
  skip(display: DisplayClock | undefined): void {
    this.undrawn += display?.covered ?? 0;
  }

  /** Records a frame that is drawn now. `display` is undefined if the frame did not come from the display. */
  see(
    info: FrameInfo,
    display: DisplayClock | undefined,
    accumulator: Accumulator,
    policy: Policy,
    tally: Tally,
  ): void {
    const { delta, realDelta, shownTime, steps } = info;
    const { lastShown, undrawn } = this;
    this.lastShown = shownTime;
    this.undrawn = 0;
    if (!display || display.covered === 0 || !(delta > 0) || Number.isNaN(lastShown)) return;
    const refreshes = display.covered + undrawn;
    // Time that the clamp cut off has no virtual time.
    const real = Math.min(realDelta, policy.maxFrameSeconds);
    const { multiple } = display;
    // Division is slow, and by 1 in most frames.
    const fastest = multiple === 1 ? display.period : display.period / multiple;
    const period = display.locked ? fastest / 1e3 : realDelta / refreshes;
    /** Virtual seconds, and steps, that one refresh should show. */
    const ideal = delta === real ? period : period * (delta / real);
    const ratio = ideal / accumulator.dt;
    const whole = Math.round(ratio);
    const isRegular =
      accumulator.plan ||
      display.refreshes === 0 ||
      steps === whole * refreshes ||
      !(Math.abs(ratio / whole - 1) < 0.02);
    tally.move = (shownTime - lastShown) / ideal;
    tally.see(refreshes, !isRegular);
  }
}
