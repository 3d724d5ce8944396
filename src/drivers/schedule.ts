import type { ExactRate } from "../time/index.js";
import { driverOf, systemNow, type Driver, type OnFrame } from "./driver.js";

/**
 * When frames are due: at `start + n × period`, so that a late one never shifts those after it, and
 * nothing drifts. They begin a part of a step late, and stay clear of where steps begin. Not half a
 * step: two starts, or a clamp of 0.25 s at 30 Hz, would add up to a whole one.
 */
export class Schedule {
  /** Milliseconds between frames. */
  readonly period: number;
  readonly #start: number;
  #next = 0;

  /** For a loop with so many steps a second; with so many frames a second, or else a frame a step. */
  constructor(now: number, stepRate: ExactRate, frameRate: number | undefined) {
    // The longest time between frames, in milliseconds: longer would be cut by a loop's `maxFrameTime`.
    const longest = 100;
    // Where in a step the frames fall, so that each has the steps that it should, whatever its last bit.
    const phase = 0.381966;
    const step = (1000 * stepRate[1]) / stepRate[0];
    this.period = frameRate ? 1000 / frameRate : step / Math.ceil(step / longest);
    this.#start = now + Math.min(step, this.period) * phase;
  }

  /** When the next frame is due. */
  get due(): number {
    return this.#start + this.#next * this.period;
  }

  /** Passes all that are due, and returns the time of the last of them. */
  pass(now: number): number {
    const last = Math.max(this.#next, Math.floor((now - this.#start) / this.period));
    this.#next = last + 1;
    return this.#start + last * this.period;
  }
}

/** Something that rings after so many milliseconds, once each time it is set, and can be ended. */
export interface Alarm {
  set(milliseconds: number): void;
  end(): void;
}

/** Makes an alarm that calls `ring`. */
export type AlarmMaker = (ring: () => void) => Alarm;

/** Gives frames on a schedule that begins with the first ring of the alarm; returns what ends it. */
export function giveFrames(
  frame: OnFrame,
  stepRate: ExactRate,
  frameRate: number | undefined,
  makeAlarm: AlarmMaker,
): () => void {
  let schedule: Schedule | undefined;
  let ended = false;
  const alarm = makeAlarm(() => {
    // A ring that was on its way.
    if (ended) return;
    const time = systemNow();
    try {
      if (!schedule) {
        schedule = new Schedule(time, stepRate, frameRate);
        frame(time);
      } else if (time >= schedule.due) frame(schedule.pass(time));
    } finally {
      // After the frame, which would be late by what this costs; it may have ended it, too.
      if (!ended) alarm.set(Math.max(0, schedule!.due - systemNow()));
    }
  });
  alarm.set(0);
  return () => {
    ended = true;
    alarm.end();
  };
}

/** A driver that gives its frames on a schedule. */
export function scheduledDriver(frameRate: number | undefined, makeAlarm: AlarmMaker): Driver {
  return driverOf((frame, host) => giveFrames(frame, host.rate, frameRate, makeAlarm));
}
