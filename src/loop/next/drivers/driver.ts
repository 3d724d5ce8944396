import { badValue } from "../../../errors/index.js";
import type { Loop } from "../loop.js";

/** Produces the time of a loop: from a display, a timer, a test. Only drivers read a clock. */
export interface Driver {
  /** Starts to call `loop.advance(seconds, timestamp)`. The first frame should have 0 seconds: loading is not game time. */
  start(loop: Loop): void;
  /** Stops calling it, until the next `start`. */
  stop(): void;
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
  if (typeof driver?.start !== "function")
    badValue(`${call}: driver`, "a driver", driver, "display(), timer() or nodeTimer()");
}

/** Calls back with the timestamps of frames, in milliseconds of one clock. */
export interface FrameSource {
  /** Starts frames. `discardElapsed` discards the time since the last frame, as after a pause. Returns the function that ends them. */
  begin(frame: (timestamp: number, discardElapsed?: boolean) => void, loop: Loop | undefined): () => void;
  /** Reads the clock of the timestamps. */
  now(): number;
  pageTimeOf?(timestamp: number): number;
}
