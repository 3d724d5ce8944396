/**
 * A driver for Node with selectable precision.
 *
 * @packageDocumentation
 */

import { badValue, requireOptions } from "../../errors/index.js";
import { systemNow, timerAlarm, type AlarmMaker } from "../../platform/index.js";
import type { Driver } from "./driver.js";
import { scheduledFrames } from "./schedule.js";
import { StampDriver } from "./stamp-driver.js";
import { checkFrameRate, type TimerOptions } from "./timer.js";

/** Options of `nodeTimer`. */
export interface NodeTimerOptions extends TimerOptions {
  /**
   * How punctual frames are. "low": timers, up to a millisecond late. "high": wakes early, waits by `setImmediate`, so that
   * the event loop goes on, and spins for the last 0.15 ms; about twenty microseconds late, for a sixth of a core at 60 Hz.
   * "exclusive": sleeps instead of waiting, which costs almost nothing but blocks the thread for up to 2 ms per frame: for a
   * thread that does nothing else.
   * Default "low": most servers share the machine.
   */
  precision?: Precision | undefined;
}

/** How punctual a Node driver is: see `NodeTimerOptions`. */
type Precision = "low" | "high" | "exclusive";

/** Creates a driver with an absolute schedule on a monotonic clock: no drift, and a late frame never delays the next ones. */
export function nodeTimer(options: NodeTimerOptions = {}): Driver {
  requireOptions(
    "nodeTimer",
    options,
    Object.keys({ frameRate: 1, precision: 1 } satisfies Record<keyof NodeTimerOptions, 1>),
    '{ precision: "high" }',
  );
  const frameRate = checkFrameRate("nodeTimer", options);
  const { precision = "low" } = options;
  if (typeof precision !== "string" || !Object.hasOwn(ALARMS, precision))
    badValue("nodeTimer: precision", '"low", "high" or "exclusive"', precision, '"high"');
  return new StampDriver(scheduledFrames(frameRate, ALARMS[precision]));
}

/** How early to wake, in milliseconds: timers are up to this late. */
const EARLY = 2;

/** Shorter waits, in milliseconds, neither sleep nor yield: both take this long, and often longer. */
const SPIN = 0.15;

function spinUntil(due: number): void {
  // Bounded, in case a test has stopped the clock.
  for (let i = 0; i < 10_000 && systemNow() < due; i++);
}

declare function setImmediate(callback: () => void): object;
declare function clearImmediate(handle: object | undefined): void;

/** Wakes early by a timer, then sleeps or yields to the event loop until the time has come. */
const punctualAlarm =
  (sleeps: boolean): AlarmMaker =>
  (ring) => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    let due = 0;
    let turn: object | undefined;
    const wait = () => {
      const left = due - SPIN - systemNow();
      if (left > 0 && !sleeps) {
        turn = setImmediate(wait);
        return;
      }
      if (left > 0) Atomics.wait(cell, 0, 0, left);
      spinUntil(due);
      ring();
    };
    const early = timerAlarm(wait);
    const end = () => {
      early.end();
      clearImmediate(turn);
    };
    return {
      end,
      set(milliseconds) {
        end();
        due = systemNow() + milliseconds;
        // A timer takes at least a millisecond, too long for a frame that is nearly due.
        if (milliseconds > EARLY) early.set(Math.floor(milliseconds - EARLY));
        else turn = setImmediate(wait);
      },
    };
  };

const ALARMS: Record<Precision, AlarmMaker> = {
  low: timerAlarm,
  high: punctualAlarm(false),
  exclusive: punctualAlarm(true),
};
