import type { Driver } from "../drivers/index.js";
import type { Rate } from "../time/index.js";
import type { FrameInfo, StepInfo } from "./info.js";
import type { PolicyOptions } from "./policy.js";
import type { Stepping } from "./stepping.js";

/** Anything with a `step` method, a `render` method, or both. */
export interface System {
  step?(info: StepInfo): void;
  render?(info: FrameInfo): void;
}

/** What `configure` can change later. */
export interface LoopSettings extends PolicyOptions {
  /** Steps a second: hertz, or an exact fraction such as `[60000, 1001]`. */
  rate: Rate;
}

export interface LoopOptions extends System, LoopSettings {
  /** Virtual seconds a real second, held in whole billionths. Default 1. */
  timeScale?: number;
  /** How time becomes steps. Default: the exact accumulator, the only deterministic way. */
  stepping?: Stepping;
  /** What calls the loop after `start`. Default none: you call `advance`. */
  driver?: Driver;
  /** The clock for `stepBudget` and `costs`, in milliseconds. Default: the driver's. */
  now?: () => number;
}
