import { badValue, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { MAX_SETTING, SECOND } from "../time/index.js";
import type { Stepping } from "./stepping.js";

/** Options for time that a loop cannot simulate in one frame. */
export interface PolicyOptions {
  /**
   * Maximum real seconds that one frame simulates; the rest is overload. Default 0.25: a breakpoint, a sleeping machine or a
   * stall must not come back as a burst of steps.
   */
  maxFrameTime?: number | undefined;
  /** Maximum steps per frame. Default Infinity, as `maxFrameTime` limits them already. */
  maxSteps?: number | undefined;
  /**
   * Maximum seconds that the steps of a frame may cost. Predicts the cost from recent steps and stops before the one that
   * would not fit; a frame runs at least one step. Default Infinity.
   */
  stepBudget?: number | undefined;
  /**
   * What happens to time that a frame could not simulate. "drop" throws it away, in whole steps, and the game slows down.
   * `{ catchUp: seconds }` makes up for it in later frames, up to that bound, and throws the rest away.
   * Default "drop": a short slowdown is less surprising than a fast-forward.
   */
  overload?: "drop" | { readonly catchUp: number } | undefined;
  /**
   * After slow steps, reads the clock again and runs the steps that became due meanwhile, as far as `stepBudget` allows,
   * which must be set. The next frame then runs fewer. On a display, only missed refreshes count, and only steps run that are
   * not likely to miss another one. Default false, as few games gain from it.
   */
  rereadClock?: boolean | undefined;
  /** Measures the cost of steps and frames, for `stats`. Default false, as reading a clock has a cost, too. */
  measureCosts?: boolean | undefined;
}

type Complete = { readonly [K in keyof PolicyOptions]-?: NonNullable<PolicyOptions[K]> };

const DEFAULTS: Complete = {
  maxFrameTime: 0.25,
  maxSteps: Infinity,
  stepBudget: Infinity,
  overload: "drop",
  rereadClock: false,
  measureCosts: false,
};

/** A complete policy: the options, and the same in nanoseconds. */
export interface Policy extends Complete {
  readonly maxFrameNs: number;
  /** The same in seconds. */
  readonly maxFrameSeconds: number;
  readonly budgetNs: number;
  /** Maximum debt; 0 for "drop". */
  readonly catchUpNs: number;
  /** Whether the clock is read. */
  readonly timed: boolean;
  /** Whether steps are neither limited nor timed, and lost time is dropped. */
  readonly isPlain: boolean;
}

/** Returns the policy `before` with the given options changed. Only the accumulator can catch up. */
export function policyOf(
  call: string,
  options: PolicyOptions,
  stepping: Stepping | undefined,
  before = DEFAULTS,
): Policy {
  const {
    maxFrameTime = before.maxFrameTime,
    maxSteps = before.maxSteps,
    stepBudget = before.stepBudget,
    overload = before.overload,
    rereadClock = before.rereadClock,
    measureCosts = before.measureCosts,
  } = options;
  const catchUp = overload === "drop" ? 0 : (overload as Partial<typeof overload> | null)?.catchUp;
  if (catchUp === undefined || (stepping && catchUp))
    badValue(
      `${call}: overload`,
      stepping ? '"drop" if stepping is set' : '"drop" or { catchUp: seconds }',
      overload,
      stepping ? '"drop"' : "{ catchUp: 0.5 }",
    );
  requireNumber(`${call}: catchUp`, catchUp, 0, MAX_SETTING, 0.5);
  requireNumber(`${call}: maxFrameTime`, maxFrameTime, 1e-9, MAX_SETTING, 0.25);
  if (stepBudget !== Infinity) requireNumber(`${call}: stepBudget`, stepBudget, 1e-9, MAX_SETTING, 0.008);
  if (maxSteps !== Infinity) requireWhole(`${call}: maxSteps`, maxSteps, 1, 8);
  requireType(`${call}: measureCosts`, measureCosts, "boolean", true);
  requireType(`${call}: rereadClock`, rereadClock, "boolean", true);
  if (rereadClock && (stepping || stepBudget === Infinity))
    badValue(
      `${call}: rereadClock`,
      stepping ? "false if stepping is set" : "false without a stepBudget",
      rereadClock,
      stepping ? "false" : "{ rereadClock: true, stepBudget: 0.05 }",
    );
  const timed = measureCosts || stepBudget < Infinity;
  const maxFrameNs = Math.round(maxFrameTime * SECOND);
  return {
    maxFrameTime,
    maxSteps,
    stepBudget,
    overload,
    rereadClock,
    measureCosts,
    maxFrameNs,
    maxFrameSeconds: maxFrameNs / SECOND,
    budgetNs: Math.round(stepBudget * SECOND),
    catchUpNs: Math.round(catchUp * SECOND),
    timed,
    isPlain: !timed && maxSteps === Infinity && catchUp === 0,
  };
}
