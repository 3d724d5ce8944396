import type { InputFields } from "../input/index.js";
import type { HistoryOptions } from "./history.js";
import type { InputsFrom } from "./input-sampler.js";
import type { RunOptions } from "./run.js";

/** Options of `localSession`. */
export interface LocalOptions<I extends InputFields> extends RunOptions {
  /** What players do, asked before each step: a function that writes it, or what each player's inputs come from. */
  readonly inputs?: InputsFrom<I>;
  /** Keeps the past, for `jump` and `rewind`. Default: none. */
  readonly history?: HistoryOptions | undefined;
  /**
   * "interpolate" shows a blend of the last two states; "speculate" takes a throw-away step ahead, with the newest
   * inputs, and shows a blend of the current state and that one: a step less latency, at the cost of a step a frame.
   * Default "interpolate".
   */
  readonly present?: "interpolate" | "speculate" | undefined;
}

/** The names of all of them. */
export const LOCAL_OPTIONS = Object.keys({
  seed: 1,
  guard: 1,
  kernels: 1,
  inputs: 1,
  history: 1,
  present: 1,
} satisfies Record<keyof LocalOptions<InputFields>, 1>);
