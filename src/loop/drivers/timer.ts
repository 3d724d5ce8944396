import { requireNumber, requireOptions } from "../../errors/index.js";
import { scheduledFrames } from "./schedule.js";
import { timerAlarm } from "../../platform/index.js";
import type { Driver } from "./driver.js";
import { StampDriver } from "./stamp-driver.js";

/** Options of `timer`. */
export interface TimerOptions {
  /** Frames per second. Default: the loop's rate, or a multiple of it if that is below ten. */
  frameRate?: number | undefined;
}

/** Creates a driver with an absolute schedule, by the timers of any platform: no drift, but up to a millisecond late. */
export function timer(options: TimerOptions = {}): Driver {
  requireOptions(
    "timer",
    options,
    Object.keys({ frameRate: 1 } satisfies Record<keyof TimerOptions, 1>),
    "{ frameRate: 60 }",
  );
  return new StampDriver(scheduledFrames(checkFrameRate("timer", options), timerAlarm));
}

/** Returns the frames per second that were set, if any. */
export function checkFrameRate(call: string, options: TimerOptions): number | undefined {
  const { frameRate } = options;
  if (frameRate !== undefined) requireNumber(`${call}: frameRate`, frameRate, 0.001, 1e5, 60);
  return frameRate;
}
