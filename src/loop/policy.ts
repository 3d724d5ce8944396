import { badValue, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { MAX_SETTING, SECOND } from "../time/index.js";
import type { Stepping } from "./stepping.js";

/** What a loop does with more time than it can simulate. */
export interface PolicyOptions {
  /**
   * Most real seconds that one frame hands on; the rest is overload. Default 0.25: a breakpoint,
   * a sleep or a stall must not come back as a burst of steps.
   */
  maxFrameTime?: number | undefined;
  /** Most steps a frame. Default Infinity: `maxFrameTime` bounds them already. */
  maxSteps?: number | undefined;
  /**
   * Seconds a frame that steps may cost. Looks at what steps have been costing and stops before the
   * one that would not fit; a frame runs at least one step. Default Infinity.
   */
  stepBudget?: number | undefined;
  /**
   * What becomes of time that a frame could not simulate: "drop" loses it, whole steps only, and the
   * game runs slow; `{ catchUp: seconds }` owes it up to that bound and loses the rest.
   * Default "drop": a game that slows down surprises nobody, a fast-forward does.
   */
  overload?: "drop" | { readonly catchUp: number } | undefined;
  /** Measure what steps and frames cost. Default false: reading a clock costs too. */
  measureCosts?: boolean | undefined;
}

type Complete = { readonly [K in keyof PolicyOptions]-?: NonNullable<PolicyOptions[K]> };

const DEFAULTS: Complete = {
  maxFrameTime: 0.25,
  maxSteps: Infinity,
  stepBudget: Infinity,
  overload: "drop",
  measureCosts: false,
};

/** The policy in force: the options, and what the loop works with, in nanoseconds. */
export interface Policy extends Complete {
  readonly maxFrameNs: number;
  readonly budgetNs: number;
  /** The most debt; 0 under "drop". */
  readonly catchUpNs: number;
  /** Whether the clock is read. */
  readonly timed: boolean;
  /** Whether steps are neither limited nor timed, and lost time is dropped. */
  readonly isPlain: boolean;
}

/** The policy before, with some of it changed, or an error. Only the accumulator can catch up. */
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
    measureCosts = before.measureCosts,
  } = options;
  const catchUp = overload === "drop" ? 0 : (overload as Partial<typeof overload> | null)?.catchUp;
  if (catchUp === undefined || (stepping && catchUp))
    badValue(
      `${call}: overload`,
      stepping ? '"drop", with stepping' : '"drop" or { catchUp: seconds }',
      overload,
      stepping ? '"drop"' : "{ catchUp: 0.5 }",
    );
  requireNumber(`${call}: catchUp`, catchUp, 0, MAX_SETTING, 0.5);
  requireNumber(`${call}: maxFrameTime`, maxFrameTime, 1e-9, MAX_SETTING, 0.25);
  if (stepBudget !== Infinity) requireNumber(`${call}: stepBudget`, stepBudget, 1e-9, MAX_SETTING, 0.008);
  if (maxSteps !== Infinity) requireWhole(`${call}: maxSteps`, maxSteps, 1, 8);
  requireType(`${call}: costs`, measureCosts, "boolean", true);
  const timed = measureCosts || stepBudget < Infinity;
  return {
    maxFrameTime,
    maxSteps,
    stepBudget,
    overload,
    measureCosts,
    maxFrameNs: Math.round(maxFrameTime * SECOND),
    budgetNs: Math.round(stepBudget * SECOND),
    catchUpNs: Math.round(catchUp * SECOND),
    timed,
    isPlain: !timed && maxSteps === Infinity && catchUp === 0,
  };
}
