import type { InputFields } from "../input/index.js";
import type { HistoryOptions } from "./history.js";
import type { InputsFrom } from "./input-sampler.js";
import type { Present } from "./presenter.js";
import type { RunOptions } from "./run.js";

/** Options of `localSession`. */
export interface LocalOptions<I extends InputFields, P extends number = number> extends RunOptions {
  /** Where inputs come from, sampled before each step: a function that writes them, or a source for each player. */
  readonly inputs?: InputsFrom<I, P>;
  /** Keeps past states, for `seek` and `rewind`. Default: none. */
  readonly history?: HistoryOptions | undefined;
  /** What `view` shows. Default `"interpolate"`. */
  readonly present?: Present | undefined;
}

export const LOCAL_OPTIONS = Object.keys({
  seed: 1,
  guard: 1,
  kernels: 1,
  inputs: 1,
  history: 1,
  present: 1,
} satisfies Record<keyof LocalOptions<InputFields>, 1>);
