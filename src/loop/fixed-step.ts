import type { ExactRate } from "../time/index.js";

/** Takes the steps of a `FixedStep`. */
export interface Stepper {
  /** Whether another step may run in this frame. */
  goesOn(): boolean;
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
  owed: number;
  /** How much of it a display has lent, so that frames show the newest state. */
  lead: number;
  /** Units in a step, and in a second. */
  readonly step: number;
  readonly second: number;
  /** Seconds in a step. */
  readonly dt: number;
  /** Step n, from `origin` on, begins at (n × denominator + offset) / numerator seconds. */
  origin = 0;
  offset: number;
  readonly numerator: number;
  readonly denominator: number;
  /** Seconds of the step that made the state at `origin`: 0 for the first state, which no step has made. */
  lastDt: number;
  /** What rounding to whole units has left over. */
  private rest: number;

  constructor(readonly rate: ExactRate) {
    [this.numerator, this.denominator] = rate;
    this.second = 1e9 * this.numerator;
    this.step = 1e9 * this.denominator;
    this.dt = this.denominator / this.numerator;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.owed = this.lead = this.offset = this.lastDt = this.rest = 0.5;
    this.owed = this.lead = this.offset = this.lastDt = this.rest = 0;
  }

  /**
   * Returns seconds in units, rounded. The difference is carried over to the next call, unless it is only the rounding error of
   * the product itself: so n / rate is always n steps.
   */
  unitsOf(seconds: number): number {
    const exact = seconds * this.second;
    const units = Math.round(exact);
    if (Math.abs(exact - units) <= exact * 2 ** -51) return units;
    const rest = this.rest + exact - units;
    const whole = Math.round(rest);
    this.rest = rest - whole;
    return units + whole;
  }

  /** Takes the steps that are owed. */
  run(steps: Stepper): void {
    while (this.owed >= this.step && steps.goesOn()) {
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
    const rest = this.owed % this.step;
    const dropped = this.owed - rest;
    this.owed = rest;
    return dropped;
  }

  /** Where the picture lies between the previous state (0) and the current one (1). The last unit of a step counts as its end. */
  get alpha(): number {
    return this.owed < this.step - 1 ? this.owed / this.step : 1;
  }

  /** Seconds until the next step is due; 0 or less if it is. */
  get untilNext(): number {
    return (this.step - this.owed) / this.second;
  }

  /** When a step begins, in simulated seconds: computed and never summed. */
  timeAt(tick: number): number {
    return (tick * this.denominator + this.offset) / this.numerator;
  }

  /** Simulated seconds that the picture shows. */
  get shownTime(): number {
    const { tick, alpha } = this;
    return tick > this.origin ? this.timeAt(tick - 1 + alpha) : this.timeAt(tick) - (1 - alpha) * this.lastDt;
  }
}
