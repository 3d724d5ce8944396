/**
 * A driver for Node, with a choice of how punctual it is.
 *
 * @packageDocumentation
 */

import { badValue } from "../errors/index.js";
import { systemNow, type Driver } from "./driver.js";
import { scheduledDriver, type AlarmMaker } from "./schedule.js";
import { checkFrameRate, timerAlarm, type TimerOptions } from "./timer.js";

/** Options of `nodeDriver`. */
export interface NodeOptions extends TimerOptions {
  /**
   * How hard it tries to be on time. "low": timers, late by most of a millisecond. "high": wakes early,
   * waits through `setImmediate`, so that the event loop goes on, and spins for the last 0.15 ms; late
   * by some twenty microseconds, for about a sixth of a core at 60 Hz. "exclusive": sleeps instead of
   * waiting, which costs next to nothing but blocks the thread for up to 2 ms a frame: for one that
   * does nothing else.
   * Default "low": most servers have more to do than to be punctual.
   */
  precision?: Precision | undefined;
}

/** How punctual a Node driver is; see `NodeOptions`. */
export type Precision = "low" | "high" | "exclusive";

/** Frames on an absolute schedule of a monotonic clock: no drift, and a late one never shifts those after it. */
export function nodeDriver(options: NodeOptions = {}): Driver {
  const frameRate = checkFrameRate("nodeDriver", options);
  const { precision = "low" } = options;
  if (typeof precision !== "string" || !Object.hasOwn(ALARMS, precision))
    badValue("nodeDriver: precision", '"low", "high" or "exclusive"', precision, '"high"');
  return scheduledDriver(frameRate, ALARMS[precision]);
}

/** Milliseconds to wake early by: timers are late by up to this. */
const EARLY = 2;

/** Milliseconds that it does not sleep or yield for: both take about this long, and often longer. */
const SPIN = 0.15;

function spinUntil(due: number): void {
  // Not for ever, should the clock stand still, as one that a test has replaced may.
  for (let i = 0; i < 10_000 && systemNow() < due; i++);
}

declare function setImmediate(callback: () => void): object;
declare function clearImmediate(handle: object | undefined): void;

/** Is woken early by a timer; for the rest it sleeps, or else gives the event loop its turns. */
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
        // A timer takes a millisecond at least: too long for what is nearly due.
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
