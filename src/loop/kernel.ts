import type { Stepper } from "./fixed-step.js";
import type { StepInfo, Writable } from "./info.js";
import type { StepTimes } from "./parts/beat-phase.js";

/** Turns time into steps. `FixedStep` is the one that every loop has; `tickwise/stepping` has the article's others. */
export interface Kernel extends StepTimes {
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
  /** What the picture shows, as of the last call of `show`. */
  readonly alpha: number;
  readonly shownTime: number;
  /** Whether it only ever shows the newest state, and never blends. */
  readonly showsNewest?: boolean | undefined;
  readonly untilNext: number;
  timeAt(tick: number): number;
  // These write into fields: engines allocate fractions that a call returns, unless they inline it.
  convert(time: { real: number }): void;
  show(): void;
  describe(step: Writable<StepInfo>): void;
  run(steps: Stepper): void;
  force(steps: Stepper): void;
  drop(): number;
}
