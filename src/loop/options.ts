import type { Driver } from "../drivers/index.js";
import { type Rate } from "../time/index.js";
import type { FrameInfo, StepInfo } from "./info.js";
import type { PolicyOptions } from "./policy.js";
import type { Stepping } from "./stepping.js";

/** Callbacks of the loop: one for each step, one for each frame. A `step` that returns a promise is refused. */
export interface Callbacks {
  step?(info: StepInfo): void;
  render?(info: FrameInfo): void;
}

/** Anything with a `step` method, a `render` method, or both. */
export type System = Callbacks & ({ step(info: StepInfo): void } | { render(info: FrameInfo): void });

/** What `configure` can change later. */
export interface LoopSettings extends PolicyOptions {
  /** Steps a second: hertz, or an exact fraction such as `[60000, 1001]`. */
  rate: Rate;
  /** What calls the loop after `start`. Default: the display in a browser, else a timer. */
  driver?: Driver | undefined;
  /**
   * Most frames drawn a second, or "half" of the display's, to save a battery; steps still run on time.
   * Default Infinity.
   */
  frameCap?: Rate | "half" | undefined;
  /**
   * "display" takes frames as whole refreshes of a display, estimated from their timestamps, and counts
   * steps so that the newest state is shown; "raw" takes timestamps as they come, and counts whole steps.
   * Default: "display" if the driver's frames are those of a display, as a browser's are.
   */
  pacing?: "display" | "raw" | undefined;
  /**
   * "interpolate" shows a blend of the last two states; "latest" shows the last one, which is smooth only
   * where steps and refreshes go together; "speculate" shows one more step, which the drawing takes and throws away
   * (as `play` of `tickwise/sim` does): alpha lies between the current state and that one. Default "interpolate".
   */
  present?: "interpolate" | "latest" | "speculate" | undefined;
}

/**
 * Options of `Loop`. The loop keeps the object and calls `step` and `render` as its methods: an instance of a class with
 * these methods works too. They may be replaced later, but not removed.
 */
export interface LoopOptions extends Callbacks, Omit<LoopSettings, "rate"> {
  /**
   * Steps a second: hertz, or an exact fraction such as `[60000, 1001]`. "display": the display's own refresh
   * rate, once it is known; until then nothing is stepped, and a `rate` event tells. Not for replays.
   */
  rate: Rate | "display";
  /** Virtual seconds a real second, held in whole billionths. Default 1. */
  timeScale?: number | undefined;
  /** How time becomes steps. Default: the exact accumulator, the only deterministic way. */
  stepping?: Stepping | undefined;
  /** The clock for `stepBudget` and `costs`, in milliseconds. Default: the driver's. */
  now?: (() => number) | undefined;
}
