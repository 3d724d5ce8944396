import { badValue, requireFunction, requireNumber, requireType } from "../errors/index.js";
import type { InputFields } from "../input/index.js";
import type { InputsFrom } from "../sim/input-sampler.js";
import type { HistoryOptions, Present } from "../sim/index.js";
import { PRESENTS } from "../sim/presenter.js";
import type { StateOptions } from "../state/index.js";
import type { MemoryMode } from "./page-states.js";

/** Options of `workerSession`. */
export interface WorkerOptions<I extends InputFields, P extends number = number> extends StateOptions {
  /** The seed of the random generator: a whole number or any text. Default 0. */
  readonly seed?: number | string | undefined;
  /**
   * Where inputs come from. The events of a latch are sent to the worker at once, with their time. Functions and other sources are
   * sampled on the page, once per step of its loop.
   */
  readonly inputs?: InputsFrom<I, P>;
  /** Keeps past states in the worker, for `seek` and `rewind`. Default: none. */
  readonly history?: HistoryOptions | undefined;
  /**
   * What `view` shows. With `"speculate"`, the worker also takes each next step in advance, with the newest inputs, and takes it back:
   * the picture is up to one step closer to the present, for twice the work. Default `"interpolate"`.
   */
  readonly present?: Present | undefined;
  /**
   * How states get to the page. `"shared"`: both threads read and write the same memory. It needs cross-origin isolation in browsers.
   * `"transferred"`: each state is copied into a buffer that changes hands. The picture is the same. Default `"auto"`: shared, if
   * the platform allows it.
   */
  readonly memory?: MemoryMode | "auto" | undefined;
  /**
   * The share of states that must arrive before they are needed: it decides how far the picture is behind. Default 0.999: one of a
   * thousand may be late, and then the picture stands still until it arrives.
   */
  readonly inTime?: number | undefined;
  /** A state to begin with, as `bytes()` or `save()` returned it. Default: the one that the simulation creates from the seed. */
  readonly from?: Uint8Array | undefined;
  /**
   * Seconds without a sign of life after which the worker counts as dead. A single step must not take that long. Default 10. While its
   * module loads, a worker has at least 30.
   */
  readonly timeout?: number | undefined;
  /**
   * Seconds between two states with external state that the worker sends, so that `restart` can continue from there. Default 1; 0 for
   * none. Without external state, nothing is sent: the page has all states.
   */
  readonly saveEvery?: number | undefined;
  /** Whether the worker stays after `dispose`, for another session. Default false: it is terminated. */
  readonly keepWorker?: boolean | undefined;
  /** Reads the page's clock, in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

export const WORKER_OPTIONS = Object.keys({
  kernels: 1,
  seed: 1,
  inputs: 1,
  history: 1,
  present: 1,
  memory: 1,
  inTime: 1,
  from: 1,
  timeout: 1,
  saveEvery: 1,
  keepWorker: 1,
  now: 1,
} satisfies Record<keyof WorkerOptions<InputFields>, 1>);

/** Checks all options that the worker does not check. */
export function checkWorkerOptions<I extends InputFields, P extends number>(
  call: string,
  options: WorkerOptions<I, P>,
): void {
  const { present = "interpolate", memory = "auto", inTime = 0.999, timeout = 10, saveEvery = 1 } = options;
  const { from, keepWorker = false, seed = 0, now } = options;
  if (!PRESENTS.includes(present))
    badValue(`${call}: present`, '"interpolate", "speculate" or "none"', present, '"speculate"');
  if (memory !== "auto" && memory !== "shared" && memory !== "transferred")
    badValue(`${call}: memory`, '"auto", "shared" or "transferred"', memory, '"auto"');
  requireNumber(`${call}: inTime`, inTime, 0.5, 1, 0.999);
  requireNumber(`${call}: timeout`, timeout, 0.1, 3600, 10);
  requireNumber(`${call}: saveEvery`, saveEvery, 0, 3600, 1);
  requireType(`${call}: keepWorker`, keepWorker, "boolean", true);
  if (typeof seed !== "string" && !Number.isSafeInteger(seed))
    badValue(`${call}: seed`, "a whole number or text", seed, 7);
  if (from !== undefined && !(from instanceof Uint8Array))
    badValue(`${call}: from`, "a Uint8Array", from, "the result of session.bytes()");
  if (now !== undefined) requireFunction(`${call}: now`, now, "() => performance.now()");
}
