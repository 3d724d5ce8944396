import { badValue } from "../../errors/index.js";
import type { Loop } from "../loop.js";

/** Produces the time of a loop: from a display, a timer, a test. Only drivers read a clock. */
export interface Driver {
  /** Starts to call `loop.advance(seconds, timestamp)`. The first frame should have 0 seconds: loading is not game time. */
  start(loop: Loop): void;
  /** Stops calling it, until the next `start`. */
  stop(loop: Loop): void;
  /** Reads the clock that timestamps are of, in milliseconds. */
  now(): number;
  /** Converts a timestamp to milliseconds of performance.now(), which inputs have, if the driver has another clock. */
  pageTimeOf?(timestamp: number): number;
}

/** Something that a driver noticed. */
export interface DriverNotice {
  /**
   * "hidden": the page was hidden or frozen. "shown": it is visible again. "throttled": the page could not start the worker
   * that wakes a hidden page, and uses timers instead, which browsers limit to about one per second.
   */
  readonly kind: "hidden" | "shown" | "throttled";
  /** The cause, as text; may be empty. */
  readonly reason: string;
}

/** Throws unless the value is a driver. */
export function requireDriver(call: string, driver: Driver | undefined): asserts driver is Driver {
  if (![driver?.start, driver?.stop, driver?.now].every((method) => typeof method === "function"))
    badValue(`${call}: driver`, "a driver", driver, "display(), timer() or nodeTimer()");
}

/** Calls back with the timestamps of frames, in milliseconds of one clock. */
export interface FrameSource {
  /** Starts frames. `discardElapsed` discards the time since the last frame, as after a pause. Returns the function that ends them. */
  begin(frame: (timestamp: number, discardElapsed?: boolean) => void, loop: Loop | undefined): () => void;
  /** Reads the clock of the timestamps. */
  now(): number;
}

/** Gives frames another time than that of their timestamps, such as the time that is heard. All times are in milliseconds. */
export interface Clock {
  /** Goes on to a frame, which has this timestamp and runs at `now`. Returns its time on this clock, which may stand still. */
  advance(timestamp: number, now: number): number;
  /** Returns the time at a timestamp after the last frame. */
  at(timestamp: number): number;
  /** Returns the timestamp at a time near the last frame. */
  pageTimeOf(time: number): number;
}
