import { requireNumber, requireOptions } from "../errors/index.js";
import type { Driver } from "./driver.js";
import { scheduledDriver, type Alarm } from "./schedule.js";

/** Options of `timerDriver`. */
export interface TimerOptions {
  /** Frames per second. Default: the loop's rate, or a multiple of it if that is below ten. */
  frameRate?: number | undefined;
}

/** Creates a driver with an absolute schedule, by the timers of any platform: no drift, but up to a millisecond late. */
export function timerDriver(options: TimerOptions = {}): Driver {
  requireOptions(
    "timerDriver",
    options,
    Object.keys({ frameRate: 1 } satisfies Record<keyof TimerOptions, 1>),
    "{ frameRate: 60 }",
  );
  return scheduledDriver(checkFrameRate("timerDriver", options), timerAlarm);
}

/** Returns the frames per second that were set, if any. */
export function checkFrameRate(call: string, options: TimerOptions): number | undefined {
  const { frameRate } = options;
  if (frameRate !== undefined) requireNumber(`${call}: frameRate`, frameRate, 0.001, 1e5, 60);
  return frameRate;
}

export function timerAlarm(ring: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout>;
  const end = () => clearTimeout(timer);
  return {
    end,
    set(milliseconds) {
      end();
      // Timers drop fractions of a millisecond: one that rang too soon would have to be set again.
      timer = setTimeout(ring, Math.ceil(milliseconds));
    },
  };
}
