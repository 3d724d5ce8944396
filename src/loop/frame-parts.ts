import type { Accumulator } from "./accumulator.js";
import type { MotionMeter } from "./motion-meter.js";
import type { Tally } from "./tally.js";

/** What a frame needs of its loop. */
export interface FrameHost {
  /** Stops the loop after an error. */
  stop(): void;
  /** Restarts the loop at tick 0, and emits `reset`. */
  reset(): void;
  /** Changes the rate, which was requested in a callback. */
  changeRate(): void;
}

/** The parts of a loop that a restart replaces. */
export interface FrameParts {
  readonly accumulator: Accumulator;
  readonly tally: Tally;
  /** Only with display pacing. */
  readonly meter: MotionMeter | undefined;
}
