import type { StepInfo, Writable } from "./info.js";
import type { ExactRate } from "./rate.js";

/** Takes the steps of a kernel. */
export interface Stepper {
  /** Whether another step may run in this frame. */
  mayStep(): boolean;
  /** Takes step `kernel.tick`. */
  step(): void;
  /** Called after the step has been counted. */
  stepped(): void;
}

/**
 * The fixed timestep: collects the time that it is given, and spends it in steps of exactly `1 / rate` seconds.
 *
 * Time is one whole number, in units of 1 / numerator nanoseconds: a step of a rate `[numerator, denominator]` is then a whole
 * number of units, too, and only what comes in is rounded. Sums stay below 2^53 if no frame adds more than 2^51 units.
 */
export class FixedStep {
  /** Number of the next step, and of the current state. */
  tick = 0;
  /** The time that was given but not simulated, in units: the article's accumulator. */
  owed = 0;
  /** Part of it that a display has lent: up to about one step, so that frames show the newest state instead of the one before. */
  lead = 0;
  /** Units in a step, and in a second. */
  readonly step: number;
  readonly second: number;
  /** Seconds in a step. */
  readonly dt: number;
  /** Where the picture lies between the previous state (0) and the current one (1), and the simulated seconds that it shows: see `show`. */
  alpha = 0;
  shownTime = 0;
  /** What rounding to whole units has left over. */
  private rest = 0;

  constructor(readonly rate: ExactRate) {
    const [numerator, denominator] = rate;
    this.second = 1e9 * numerator;
    this.step = 1e9 * denominator;
    this.dt = denominator / numerator;
  }

  /**
   * Converts `time.real`, in seconds, to whole units, and carries the remainder to the next call. A remainder within the rounding
   * error of the product is dropped, so that `n / rate` seconds are exactly n steps.
   */
  convert(time: { real: number }): void {
    const exact = time.real * this.second;
    // Not Math.round: engines compile it to a branch, and fractions of frame times are too random to predict it.
    time.real = Math.floor(exact + 0.5);
    if (Math.abs(exact - time.real) <= exact * 2 ** -51) return;
    const sum = exact + this.rest;
    time.real = Math.floor(sum + 0.5);
    this.rest = sum - time.real;
  }

  /** Takes the steps that are owed. */
  run(steps: Stepper): void {
    while (this.owed >= this.step && steps.mayStep()) {
      steps.step();
      this.tick++;
      this.owed -= this.step; // after the step has returned: one that throws stays owed
      steps.stepped();
    }
  }

  /** Takes one step without spending time. */
  force(steps: Stepper): void {
    steps.step();
    this.tick++;
    steps.stepped();
  }

  /** Drops the whole steps that are still owed. Returns their units. */
  drop(): number {
    const { owed } = this;
    this.owed %= this.step;
    return owed - this.owed;
  }

  /** Sets `alpha` and `shownTime`. The last unit counts as 1: a display lends one unit less than a step, so that no step runs early. */
  show(): void {
    this.alpha = this.owed < this.step - 1 ? this.owed / this.step : 1;
    this.shownTime = (Math.max(0, this.tick - 1 + this.alpha) * this.rate[1]) / this.rate[0];
  }

  /** Seconds until the next step is due; 0 or less if it is. */
  get untilNext(): number {
    return (this.step - this.owed) / this.second;
  }

  /** Describes the next step. */
  describe(step: Writable<StepInfo>): void {
    step.tick = this.tick;
    step.dt = this.dt;
    step.time = (this.tick * this.rate[1]) / this.rate[0];
  }

  /** When a step begins, in simulated seconds: computed and never summed. */
  timeAt(tick: number): number {
    return (tick * this.rate[1]) / this.rate[0];
  }
}
