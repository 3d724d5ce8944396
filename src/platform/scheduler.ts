import { requireFunction } from "../errors/index.js";
import { timerAlarm, type Alarm, type AlarmMaker } from "./alarm.js";
import { systemNow } from "./clock.js";

/** A clock and timers: those of the platform (`realScheduler`), or virtual ones in tests (`virtualScheduler`). */
export interface Scheduler {
  /** Reads the clock, in milliseconds. */
  now(): number;
  /** Calls `call` once after some milliseconds. Returns the function that cancels it. */
  after(milliseconds: number, call: () => void): () => void;
  /** Creates an alarm that can be set again and again without allocating. @internal */
  alarm?(ring: () => void): Alarm;
}

/** Longer times would overflow the timers of the platform, which then ring at once. */
const LONGEST = 2 ** 31 - 1;

/** The clock and the timers of the platform. Browsers let the timers of a hidden page ring about once per second. */
export const realScheduler: Scheduler = {
  now: systemNow,
  after(milliseconds, call) {
    requireFunction("Scheduler.after: call", call);
    const alarm = timerAlarm(call);
    alarm.set(Math.min(milliseconds, LONGEST));
    return alarm.end;
  },
  alarm: (ring) => {
    const alarm = timerAlarm(ring);
    return { end: alarm.end, set: (milliseconds) => alarm.set(Math.min(milliseconds, LONGEST)) };
  },
};

/** Returns what creates alarms on a scheduler, whether or not it has its own. */
export function alarmsOf(scheduler: Scheduler): AlarmMaker {
  return (ring) => {
    if (scheduler.alarm) return scheduler.alarm(ring);
    let cancel = () => {};
    return {
      end: () => cancel(),
      set(milliseconds) {
        cancel();
        cancel = scheduler.after(milliseconds, ring);
      },
    };
  };
}
