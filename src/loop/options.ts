import type { Driver } from "../drivers/index.js";
import { type Rate } from "../time/index.js";
import type { FrameInfo, StepInfo } from "./info.js";
import type { PolicyOptions } from "./policy.js";
import type { Stepping } from "./stepping.js";

/** Callbacks of the loop. A `step` that returns a promise throws. */
export interface Callbacks {
  /** Simulates one step. */
  step?(info: StepInfo): void;
  /** Draws one frame. */
  render?(info: FrameInfo): void;
}

/** Anything with a `step` method, a `render` method, or both. */
export type System = Callbacks & ({ step(info: StepInfo): void } | { render(info: FrameInfo): void });

/** Settings that `configure` can change later. */
export interface LoopSettings extends PolicyOptions {
  /** Steps per second: hertz, or an exact fraction such as `[60000, 1001]`. */
  rate: Rate;
  /** Calls the loop after `start`. Default: the display in a browser, else a timer. */
  driver?: Driver | undefined;
  /** Maximum frames drawn per second, or "half" the display's, to save battery. Steps still run on time. Default Infinity. */
  frameCap?: Rate | "half" | undefined;
  /**
   * "display" takes the time between frames as whole refreshes of the display, estimated from timestamps, and counts steps
   * so that frames show the newest state. "raw" takes timestamps as they are.
   * Default: "display" if the driver's frames come from a display, as in browsers.
   */
  pacing?: "display" | "raw" | undefined;
  /**
   * "interpolate" shows a blend of the last two states. "latest" shows the last one, which is smooth only if each refresh has
   * the same number of steps. "speculate" shows a blend of the current state and the one after it, which the renderer steps
   * and throws away, as `play` of `tickwise/sim` does. Default "interpolate".
   */
  present?: "interpolate" | "latest" | "speculate" | undefined;
}

/**
 * Options of `Loop`. The loop keeps the object and calls `step` and `render` as its methods: an instance of a class with
 * these methods works too. They may be replaced later, but not removed.
 */
export interface LoopOptions extends Callbacks, Omit<LoopSettings, "rate"> {
  /**
   * Steps per second: hertz, or an exact fraction such as `[60000, 1001]`. "display": one step per refresh of the display;
   * `{ display: 2 }`: two steps per refresh; `{ display: 1 / 2 }`: one step per two refreshes. Until the display's rate is
   * known, nothing is stepped; then a `rate` event is emitted. Not for replays.
   */
  rate: Rate | "display" | { readonly display: number };
  /** Virtual seconds per real second, stored in whole billionths. Default 1. */
  timeScale?: number | undefined;
  /** How time becomes steps: see `tickwise/stepping`. Default: the exact accumulator, which alone is deterministic. */
  stepping?: Stepping | undefined;
  /** The clock for `stepBudget` and `measureCosts`, in milliseconds. Default: the driver's. */
  now?: (() => number) | undefined;
}
