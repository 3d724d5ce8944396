import type { Driver } from "../drivers/index.js";
import { badValue, requireFunction } from "../errors/index.js";
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

/** The object is kept, and its `step` and `render` are called as its methods; replace them, but do not remove them. */
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

/** Refuses options of the wrong shape; numbers are checked where they are read. */
export function checkOptions(options: LoopOptions): void {
  const { driver, stepping } = options;
  checkDriver("Loop", driver);
  if (stepping !== undefined) requireFunction("Loop: stepping.plan", stepping?.plan, "fixed()");
  for (const name of ["step", "render", "now"] as const) optionalMethod("Loop", options, name);
}

type Presentation = Pick<LoopSettings, "pacing" | "present">;

/** Refuses another pacing or presentation than there is. */
export function checkPresentation(call: string, { pacing, present }: Presentation): void {
  if (pacing !== undefined && pacing !== "display" && pacing !== "raw")
    badValue(`${call}: pacing`, '"display" or "raw"', pacing, '"display"');
  if (present !== undefined && !["interpolate", "latest", "speculate"].includes(present))
    badValue(`${call}: present`, '"interpolate", "latest" or "speculate"', present, '"latest"');
}

/** Refuses a driver of the wrong shape. */
export function checkDriver(call: string, driver: Driver | undefined): void {
  if (driver === undefined) return;
  for (const name of ["start", "stop", "now"] as const)
    requireFunction(`${call}: driver.${name}`, driver?.[name], "browserDriver()");
}

/** A callback, if there is one; refused if it is none. */
export function optionalMethod<T, K extends keyof T & string>(call: string, owner: T, name: K): T[K] {
  const method = owner[name];
  if (method !== undefined) requireFunction(`${call}: ${name}`, method);
  return method;
}
