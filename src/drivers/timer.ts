import { requireNumber, requireType } from "../time/index.js";
import type { Driver } from "./driver.js";
import { scheduledDriver, type Alarm } from "./schedule.js";

export interface TimerOptions {
  /** Frames a second. Default: as many as the loop has steps, or a multiple if that is under ten. */
  rate?: number | undefined;
}

/** Frames on an absolute schedule, by the timers that every platform has: no drift, but late by a millisecond or more. */
export function timerDriver(options: TimerOptions = {}): Driver {
  return scheduledDriver(frameRate("timerDriver", options), timerAlarm);
}

/** The frames a second that were asked for, or an error. */
export function frameRate(call: string, options: TimerOptions): number | undefined {
  requireType(`${call}: options`, options, "object", "{ rate: 60 }");
  const { rate } = options;
  if (rate !== undefined) requireNumber(`${call}: rate`, rate, 0.001, 1e5, 60);
  return rate;
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
