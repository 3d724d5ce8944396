import { requireType } from "../time/index.js";
import type { Driver, DriverHost, OnFrame } from "./driver.js";

/** The longest time between frames, in milliseconds: longer would be cut by a loop's `maxFrameTime`. */
const LONGEST = 100;

type Fraction = readonly [numerator: number, denominator: number];

/**
 * When frames are due: at `start + n × period`, so that a late one never shifts those after it, and
 * nothing drifts. They fall in the middle between two steps of the loop: then each has the steps that
 * it should, whatever its last bit.
 */
export class Schedule {
  /** Milliseconds between frames. */
  readonly period: number;
  readonly #start: number;
  #next = 0;

  /** For a loop with so many steps a second; with so many frames a second, or else a frame a step. */
  constructor(now: number, loop: Fraction, frames: number | undefined) {
    const step = (1000 * loop[1]) / loop[0];
    this.period = frames ? 1000 / frames : step / Math.ceil(step / LONGEST);
    this.#start = now + Math.min(step, this.period) / 2;
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

/** The clock of every driver, in milliseconds. */
export const systemNow = () => performance.now();

/** Gives frames on a schedule that begins with the first ring of the alarm; returns what ends it. */
export function giveFrames(
  frame: OnFrame,
  loop: Fraction,
  frames: number | undefined,
  makeAlarm: AlarmMaker,
): () => void {
  let schedule: Schedule | undefined;
  let ended = false;
  const alarm = makeAlarm(() => {
    // A ring that was on its way.
    if (ended) return;
    const time = systemNow();
    const isFirst = !schedule;
    schedule ??= new Schedule(time, loop, frames);
    const isDue = isFirst || time >= schedule.due;
    try {
      if (isDue) frame(isFirst ? time : schedule.pass(time));
    } finally {
      // After the frame, which would be late by what this costs; it may have ended it, too.
      if (!ended) alarm.set(Math.max(0, schedule.due - systemNow()));
    }
  });
  alarm.set(0);
  return () => {
    ended = true;
    alarm.end();
  };
}

/** A driver of something that can be begun, which returns what ends it. */
export function driverOf(begin: (frame: OnFrame, host: DriverHost) => () => void): Driver {
  let end: (() => void) | undefined;
  const stop = () => {
    end?.();
    end = undefined;
  };
  return {
    now: systemNow,
    stop,
    start(frame, host) {
      requireType("Driver.start: frame", frame, "function", "loop.start()");
      requireType("Driver.start: rate", host?.rate, "object", "loop.start()");
      stop();
      end = begin(frame, host);
    },
  };
}

/** A driver that gives its frames on a schedule. */
export function scheduledDriver(frames: number | undefined, makeAlarm: AlarmMaker): Driver {
  return driverOf((frame, host) => giveFrames(frame, host.rate, frames, makeAlarm));
}
