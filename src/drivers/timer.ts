import { requireNumber, requireType } from "../errors/index.js";
import type { Driver } from "./driver.js";
import { scheduledDriver, type Alarm } from "./schedule.js";

/** Options of `timerDriver`. */
export interface TimerOptions {
  /** Frames a second. Default: as many as the loop has steps, or a multiple if that is under ten. */
  frameRate?: number | undefined;
}

/** Frames on an absolute schedule, by the timers that every platform has: no drift, but late by most of a millisecond. */
export function timerDriver(options: TimerOptions = {}): Driver {
  return scheduledDriver(checkFrameRate("timerDriver", options), timerAlarm);
}

/** The frames a second that were asked for, or an error. */
export function checkFrameRate(call: string, options: TimerOptions): number | undefined {
  requireType(`${call}: options`, options, "object", "{ frameRate: 60 }");
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
      // Timers have whole milliseconds, and cut off the rest: one that rang too soon would have to be set again.
      timer = setTimeout(ring, Math.ceil(milliseconds));
    },
  };
}
