import { LONGEST, refuse, requireNumber, requireType, requireWhole, SECOND } from "../time/index.js";

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
   * one that would not fit; a frame runs at least one step. Default Infinity. Needs a clock.
   */
  stepBudget?: number | undefined;
  /**
   * What becomes of time that a frame could not simulate: "drop" loses it, whole steps only, and the
   * game runs slow; `{ catchUp: seconds }` owes it up to that bound and loses the rest.
   * Default "drop": a game that slows down surprises nobody, a fast-forward does.
   */
  overload?: "drop" | { readonly catchUp: number } | undefined;
  /** Measure what steps and frames cost. Default false: reading a clock costs too. Needs a clock. */
  costs?: boolean | undefined;
}

/** The policy in force; times in nanoseconds. */
export class Policy {
  maxFrame = SECOND / 4;
  maxSteps = Infinity;
  budget = Infinity;
  /** The most debt; 0 under "drop". */
  catchUp = 0;
  costs = false;

  /** This policy with some of it changed, or an error. */
  with(call: string, options: PolicyOptions): Policy {
    const seconds = (name: string, value: unknown, least: number, cure: number) => {
      requireNumber(`${call}: ${name}`, value, least, LONGEST, cure);
      return Math.round(value * SECOND);
    };
    const { maxFrameTime, maxSteps, stepBudget, overload, costs } = options;
    const policy = Object.assign(new Policy(), this);
    if (maxFrameTime !== undefined) policy.maxFrame = seconds("maxFrameTime", maxFrameTime, 1e-9, 0.25);
    if (maxSteps !== undefined) {
      if (maxSteps !== Infinity) requireWhole(`${call}: maxSteps`, maxSteps, 1, 8);
      policy.maxSteps = maxSteps;
    }
    if (stepBudget !== undefined)
      policy.budget = stepBudget === Infinity ? stepBudget : seconds("stepBudget", stepBudget, 1e-9, 0.008);
    if (overload !== undefined) {
      const catchUp = overload === "drop" ? 0 : (overload as Partial<typeof overload> | null)?.catchUp;
      if (catchUp === undefined)
        refuse(`${call}: overload`, '"drop" or { catchUp: seconds }', overload, '"drop"');
      policy.catchUp = seconds("catchUp", catchUp, 0, 0.5);
    }
    if (costs !== undefined) {
      requireType(`${call}: costs`, costs, "boolean", true);
      policy.costs = costs;
    }
    return policy;
  }
}
