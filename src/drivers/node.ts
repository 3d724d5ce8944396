import { refuse } from "../time/index.js";
import type { Driver } from "./driver.js";
import { scheduledDriver, systemNow, type Alarm, type AlarmMaker } from "./schedule.js";
import { frameRate, timerAlarm, type TimerOptions } from "./timer.js";

export interface NodeOptions extends TimerOptions {
  /**
   * How hard it tries to be on time. "low": timers, half a millisecond late or more. "high": wakes
   * early, and waits for the rest through `setImmediate`, so that the event loop goes on; some
   * microseconds late, for about a tenth of a core at 60 Hz. "exclusive": sleeps for the rest, which
   * costs next to nothing but blocks the thread for up to 2 ms a frame: for one that does nothing else.
   * Default "low": most servers have more to do than to be punctual.
   */
  precision?: Precision | undefined;
}

export type Precision = "low" | "high" | "exclusive";

/** Frames on an absolute schedule of a monotonic clock: no drift, and a late one never shifts those after it. */
export function nodeDriver(options: NodeOptions = {}): Driver {
  const rate = frameRate("nodeDriver", options);
  const { precision = "low" } = options;
  if (typeof precision !== "string" || !Object.hasOwn(ALARMS, precision))
    refuse("nodeDriver: precision", '"low", "high" or "exclusive"', precision, '"high"');
  return scheduledDriver(rate, ALARMS[precision]);
}

/** Milliseconds to wake early by: timers are late by up to this. */
const LEAD = 2;

declare function setImmediate(callback: () => void): object;
declare function clearImmediate(handle: object | undefined): void;

/** Milliseconds that it does not sleep or yield for: both take about this long, and often longer. */
const SPIN = 0.15;

function spinUntil(due: number): void {
  // Not for ever, should the clock stand still, as one that a test has replaced may.
  for (let i = 0; i < 10_000 && systemNow() < due; i++);
}

/** Rings once it is time, and gives the event loop its turn as long as it is not. */
function yieldingAlarm(ring: () => void): Alarm {
  let due = 0;
  let turn: object | undefined;
  const wait = () => {
    if (systemNow() < due - SPIN) {
      turn = setImmediate(wait);
      return;
    }
    spinUntil(due);
    ring();
  };
  const early = timerAlarm(wait);
  return {
    set(milliseconds) {
      clearImmediate(turn);
      due = systemNow() + milliseconds;
      if (milliseconds > LEAD) early.set(Math.floor(milliseconds - LEAD));
      else turn = setImmediate(wait);
    },
    end() {
      early.end();
      clearImmediate(turn);
    },
  };
}

/** Rings once it is time, and sleeps as long as it is not. */
function sleepingAlarm(ring: () => void): Alarm {
  let due = 0;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const wait = () => {
    const left = due - SPIN - systemNow();
    if (left > 0) Atomics.wait(cell, 0, 0, left);
    spinUntil(due);
    ring();
  };
  const early = timerAlarm(wait);
  return {
    set(milliseconds) {
      due = systemNow() + milliseconds;
      early.set(Math.max(0, Math.floor(milliseconds - LEAD)));
    },
    end: early.end,
  };
}

const ALARMS: Record<Precision, AlarmMaker> = {
  low: timerAlarm,
  high: yieldingAlarm,
  exclusive: sleepingAlarm,
};
