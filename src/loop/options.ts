import { requireFunction, requireKnownOptions, requireType } from "../errors/index.js";
import type { ExactRate, Rate } from "./rate.js";
import type { FrameInfo, StepInfo } from "./info.js";
import type { Kernel } from "./kernel.js";

/**
 * Options of `Loop`. The loop keeps the object and calls `step` and `render` as its methods: an instance of a class with
 * these methods works too.
 */
export interface LoopOptions {
  /** Steps per second: hertz, or an exact fraction such as `[60000, 1001]`. */
  rate: Rate;
  /** Simulates one step. A step that returns a promise throws. */
  step?(info: StepInfo): void;
  /** Draws one frame. */
  render?(info: FrameInfo): void;
  /**
   * Maximum real seconds that one frame simulates; the rest is overload. Default 0.25: a breakpoint, a sleeping machine or a
   * stall must not come back as a burst of steps.
   */
  maxFrameTime?: number | undefined;
  /** Maximum steps per frame; the rest is overload. Default Infinity, as `maxFrameTime` limits them already. */
  maxSteps?: number | undefined;
  /** How time becomes steps: see `tickwise/stepping`. Default: fixed steps, which alone are deterministic. */
  stepping?: ((rate: ExactRate) => Kernel) | undefined;
}

const NAMES = Object.keys({
  rate: 1,
  step: 1,
  render: 1,
  maxFrameTime: 1,
  maxSteps: 1,
  stepping: 1,
} satisfies Record<keyof LoopOptions, 1>);

/** Checks the options of a loop. Numbers are checked where they are set. */
export function checkOptions(options: LoopOptions): void {
  requireType("Loop: options", options, "object", "{ rate: 60 }");
  // An instance of a class is a game with fields of its own.
  if (options.constructor === Object) requireKnownOptions("Loop", options, NAMES);
  for (const name of ["step", "render", "stepping"] as const)
    if (options[name] !== undefined) requireFunction(`Loop: ${name}`, options[name]);
}
