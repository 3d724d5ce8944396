import { requireType } from "../errors/index.js";
import { type ExactRate } from "../time/index.js";

/** Calls the loop: from a display, a timer, a test. Only drivers read a clock. */
export interface Driver {
  /** Starts to call `frame`. `host` is the loop, as far as a driver may know it. */
  start(frame: OnFrame, host: DriverHost): void;
  /** Stops calling `frame`, until the next `start`. */
  stop(): void;
  /** Reads the clock for step budgets, costs and `timestampOf`, in milliseconds. */
  now(): number;
  /**
   * Converts a timestamp of its frames to milliseconds of performance.now(), which inputs have. Only drivers whose frames have
   * another clock need it.
   */
  pageTimeOf?(timestamp: number): number;
  /** "display" if frames come from a display. The default `pacing` of the loop. */
  readonly pacing?: "display" | "raw";
}

/**
 * Runs one frame. Timestamps are milliseconds of one clock. `discardElapsed` discards the time since the last frame, as after a
 * pause.
 */
export type OnFrame = (timestamp: number, discardElapsed?: boolean) => void;

/** The loop, as seen by its driver. */
export interface DriverHost {
  /** Steps per second, as a fraction. */
  readonly rate: ExactRate;
  /** Emits the loop's `driver` event. */
  tell(notice: DriverNotice): void;
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

/** The clock of all drivers except those of tests, in milliseconds. */
export const systemNow = () => performance.now();

/** When `systemNow` was 0, in milliseconds since 1970. Threads have different ones. */
export const systemTimeOrigin = () => performance.timeOrigin;

/** The wall time, in milliseconds since 1970. It may jump when somebody sets the clock. */
export const systemWall = () => Date.now();

/** Creates a driver from a function that starts frames and returns the function that ends them. */
export function driverOf(
  begin: (frame: OnFrame, host: DriverHost) => () => void,
  pacing: "display" | "raw" = "raw",
): Driver {
  let end: (() => void) | undefined;
  const stop = () => {
    end?.();
    end = undefined;
  };
  return {
    now: systemNow,
    pacing,
    stop,
    start(frame, host) {
      requireType("Driver.start: rate", host?.rate, "object", "loop.start()");
      stop();
      end = begin(frame, host);
    },
  };
}
