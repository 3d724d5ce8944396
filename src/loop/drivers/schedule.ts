import { systemNow, type AlarmMaker } from "../../platform/index.js";
import type { ExactRate } from "../rate.js";
import type { FrameSource } from "./driver.js";

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

/** Runs frames on a schedule that starts with the first ring of the alarm. Returns the function that ends them. */
export function runFrames(
  frame: (timestamp: number) => void,
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

/** Frames on a schedule that follows the loop's rate, or has a rate of its own. */
export function scheduledFrames(frameRate: number | undefined, makeAlarm: AlarmMaker): FrameSource {
  return {
    now: systemNow,
    begin(frame, loop) {
      let end = () => {};
      const restart = () => {
        end();
        end = runFrames(frame, loop!.rate, frameRate, makeAlarm);
      };
      restart();
      const off = loop!.on("rate", restart);
      return () => {
        off();
        end();
      };
    },
  };
}
