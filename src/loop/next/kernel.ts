import type { Stepper } from "../fixed-step.js";
import type { ExactRate, StepTimes } from "../../time/index.js";

/** Turns time into steps. `FixedStep` is the one that every loop has; `tickwise/stepping` has the article's others. */
export interface Kernel extends StepTimes {
  readonly rate: ExactRate;
  /** Number of the next step, and of the current state. */
  tick: number;
  /** Time that was given but not simulated, and how much of it was lent; in units. */
  owed: number;
  lead: number;
  /** Units in a step of `1 / rate`, and in a second. */
  readonly step: number;
  readonly second: number;
  /** Seconds of the next step. */
  readonly dt: number;
  readonly alpha: number;
  readonly shownTime: number;
  readonly untilNext: number;
  timeAt(tick: number): number;
  unitsOf(seconds: number): number;
  run(steps: Stepper): void;
  force(steps: Stepper): void;
  drop(): number;
}
