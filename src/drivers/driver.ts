import { requireType } from "../errors/index.js";
import { type ExactRate } from "../time/index.js";

/** What calls the loop: a display, a timer, a test. The only place where a clock is read. */
export interface Driver {
  /** Begins to call `frame`. The host is the loop: what a driver may know of it, and tell it. */
  start(frame: OnFrame, host: DriverHost): void;
  /** Ends it: `frame` is not called again until the next `start`. */
  stop(): void;
  /** The clock for step budgets, costs and `timestampOf`, in milliseconds. */
  now(): number;
  /** "display" if its frames are those of a display: the default `pacing` of a loop. */
  readonly pacing?: "display" | "raw";
}

/**
 * One frame, at a timestamp in milliseconds, all of one clock. `afresh` says that the time since the
 * last frame never existed, as after a pause.
 */
export type OnFrame = (timestamp: number, afresh?: boolean) => void;

/** The loop, as its driver sees it. */
export interface DriverHost {
  /** The loop's steps a second, as a fraction. */
  readonly rate: ExactRate;
  /** Tells what the loop's `driver` event is to say. */
  tell(notice: DriverNotice): void;
}

/** What a driver has noticed. */
export interface DriverNotice {
  /**
   * The page was hidden, or frozen; it is shown again; or it may not start the worker that would wake
   * a hidden page, so that its own timers serve, which browsers throttle to about one a second.
   */
  readonly kind: "hidden" | "shown" | "throttled";
  /** Why, in words, where there is more to say. */
  readonly reason: string;
}

/** The clock of all drivers but those of tests, in milliseconds. */
export const systemNow = () => performance.now();

/** A driver of something that can be begun, which returns what ends it. */
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
