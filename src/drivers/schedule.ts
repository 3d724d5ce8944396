import type { ExactRate } from "../time/index.js";
import { driverOf, systemNow, type Driver, type OnFrame } from "./driver.js";

/**
 * Says when frames are due: at `start + n × period`, so that a late frame never delays the next ones, and nothing drifts.
 * Frames fall inside steps, away from where steps begin. Not in the middle: two starts, or a clamp of 0.25 s at 30 Hz, would
 * add up to a whole step.
 */
export class Schedule {
  /** Milliseconds between frames. */
  readonly period: number;
  readonly #start: number;
  #next = 0;

  /** Starts now. By default, there is one frame per step. */
  constructor(now: number, stepRate: ExactRate, frameRate: number | undefined) {
    // Maximum milliseconds between frames: the loop's `maxFrameTime` would clamp longer ones.
    const max = 100;
    // Where in a step the frames fall, so that rounding never changes the number of steps in a frame.
    const phase = 0.381966;
    const step = (1000 * stepRate[1]) / stepRate[0];
    this.period = frameRate ? 1000 / frameRate : step / Math.ceil(step / max);
    this.#start = now + Math.min(step, this.period) * phase;
  }

  /** When the next frame is due, in milliseconds. */
  get due(): number {
    return this.#start + this.#next * this.period;
  }

  /** Passes all frames that are due. Returns when the last of them was. */
  pass(now: number): number {
    const last = Math.max(this.#next, Math.floor((now - this.#start) / this.period));
    this.#next = last + 1;
    return this.#start + last * this.period;
  }
}

/** Rings once after the milliseconds that it is set to, each time it is set. */
export interface Alarm {
  set(milliseconds: number): void;
  end(): void;
}

/** Creates an alarm that calls `ring`. */
export type AlarmMaker = (ring: () => void) => Alarm;

/** Runs frames on a schedule that starts with the first ring of the alarm. Returns the function that ends them. */
export function runFrames(
  frame: OnFrame,
  stepRate: ExactRate,
  frameRate: number | undefined,
  makeAlarm: AlarmMaker,
): () => void {
  let schedule: Schedule | undefined;
  let ended = false;
  const alarm = makeAlarm(() => {
    // A ring that was already under way.
    if (ended) return;
    const time = systemNow();
    try {
      if (!schedule) {
        schedule = new Schedule(time, stepRate, frameRate);
        frame(time);
      } else if (time >= schedule.due) frame(schedule.pass(time));
    } finally {
      // After the frame, as setting the alarm would delay it. The frame may also have ended the schedule.
      if (!ended) alarm.set(Math.max(0, schedule!.due - systemNow()));
    }
  });
  alarm.set(0);
  return () => {
    ended = true;
    alarm.end();
  };
}

/** Creates a driver that runs frames on a schedule. */
export function scheduledDriver(frameRate: number | undefined, makeAlarm: AlarmMaker): Driver {
  return driverOf((frame, host) => runFrames(frame, host.rate, frameRate, makeAlarm));
}
