import { requireFunction, requireNumber } from "../../errors/index.js";
import { MAX_SETTING } from "../units.js";
import { systemNow } from "../../platform/index.js";
import type { Loop } from "../loop.js";
import type { Part } from "../part.js";
import { onePerLoop } from "./one-per-loop.js";

/** Limits what the steps of a frame may cost: see `stepBudget`. */
export interface StepBudget {
  /** Maximum seconds per frame; Infinity for no limit. */
  seconds: number;
}

/**
 * Limits the seconds that the steps of a frame may cost. Predicts the cost from recent steps and ends the frame's steps before
 * the one that would not fit; a frame runs at least one step. `now` is the clock, in milliseconds; by default the driver's.
 */
export function stepBudget(loop: Loop, seconds: number, now?: () => number): StepBudget {
  const part = partOf(loop);
  if (now !== undefined) requireFunction("stepBudget: now", now, "() => performance.now()");
  part.seconds = seconds;
  part.now = now ?? part.now;
  return part;
}

class BudgetPart implements StepBudget, Part {
  readonly name = "stepBudget";
  now: () => number;
  #seconds = Infinity;
  /** What a step costs: a moving average over about eight steps; 0 before the first. All times are in nanoseconds. */
  #cost = 0;
  #left = 0;
  #reading = 0;

  constructor(private readonly loop: Loop) {
    this.now = () => (loop.driver ? loop.driver.now() : systemNow());
    // It may be attached inside a step.
    this.align();
  }

  get seconds(): number {
    return this.#seconds;
  }
  set seconds(seconds: number) {
    if (seconds !== Infinity) requireNumber("stepBudget: seconds", seconds, 1e-9, MAX_SETTING, 0.008);
    this.#seconds = seconds;
  }

  /** A frame or forced steps begin. */
  force(): void {
    this.align();
  }

  align(): void {
    this.#left = Math.round(this.#seconds * 1e9);
    this.#reading = this.now();
  }

  afterStep(): void {
    const now = this.now();
    // A single long step, or a clock that leaps, must not count for long.
    const cost = Math.min(this.#seconds * 1e9, Math.max(0, Math.round((now - this.#reading) * 1e6)));
    this.#reading = now;
    this.#left -= cost;
    this.#cost = this.#cost ? Math.floor((7 * this.#cost + cost) / 8) : cost;
    if (this.#left < this.#cost) this.loop.endSteps();
  }

  reset(): void {
    this.#cost = 0;
  }
}

const partOf = onePerLoop("stepBudget", (loop) => {
  const part = new BudgetPart(loop);
  loop.use(part);
  return part;
});
