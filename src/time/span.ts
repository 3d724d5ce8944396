import { mulDiv, remainder } from "./mul-div.js";
import type { ExactRate } from "./rate.js";
import { SECOND } from "./units.js";

/**
 * An exact length of time at one rate: whole steps, and a rest of less than one step. The rest is in units of 1 / numerator
 * nanoseconds, so that nothing is ever rounded.
 */
export class Span {
  steps = 0;
  rest: number;
  /** Units in a step. */
  units: number;
  private numerator: number;
  private denominator: number;

  constructor([numerator, denominator]: ExactRate) {
    this.numerator = numerator;
    this.denominator = denominator;
    this.units = SECOND * denominator;
    // A fraction first: engines then store this field as a double and never allocate for it.
    this.rest = 0.5;
    this.rest = 0;
  }

  /** Adds nanoseconds. */
  add(nanoseconds: number): void {
    const rest = this.rest + nanoseconds * this.numerator;
    if (rest < this.units) this.rest = rest;
    else if (rest < 2 * this.units) {
      this.rest = rest - this.units;
      this.steps++;
    }
    // Exact while the sum is; longer times are rare.
    else if (rest <= Number.MAX_SAFE_INTEGER) this.carry(rest);
    else this.plus(mulDiv(nanoseconds, this.numerator, this.units), remainder[0]!);
  }

  /** Counts the same length at another rate, in steps and units of that; rounded to a unit if the units do not match. */
  convert([numerator, denominator]: ExactRate): void {
    const { steps, rest, numerator: before } = this;
    const seconds = mulDiv(Math.abs(steps), this.denominator, before);
    const nanoseconds = mulDiv(remainder[0]!, SECOND, before);
    const units = mulDiv(remainder[0]!, numerator, before);
    this.numerator = numerator;
    this.denominator = denominator;
    this.units = SECOND * denominator;
    this.clear();
    this.plus(mulDiv(seconds, numerator, denominator), remainder[0]! * SECOND);
    this.add(nanoseconds);
    this.plus(0, units);
    if (steps < 0) {
      const { steps: whole, rest: part } = this;
      this.clear();
      this.plus(-whole, -part);
    }
    this.add(Math.floor(rest / before));
    this.plus(0, mulDiv(rest % before, numerator, before));
  }

  /** Removes the whole steps and returns them. */
  takeSteps(): number {
    const { steps } = this;
    this.steps = 0;
    return steps;
  }

  /** Moves all of this span, or at most `max`, to another one. */
  moveTo(other: Span, max: Span = this): void {
    const isLonger = this.steps > max.steps || (this.steps === max.steps && this.rest > max.rest);
    const { steps, rest } = isLonger ? max : this;
    other.plus(steps, rest);
    // Not plus(-steps, -rest): -0 is a double, and the field would hold doubles from then on.
    this.steps -= steps;
    this.carry(this.rest - rest);
  }

  /** Adds steps and units, which may be negative. */
  plus(steps: number, units: number): void {
    this.steps += steps;
    this.carry(this.rest + units);
  }

  /** Sets the rest to a number of units, less the whole steps in it. */
  private carry(units: number): void {
    if (units >= 0 && units < this.units) {
      this.rest = units;
      return;
    }
    const whole = Math.floor(units / this.units);
    this.steps += whole;
    this.rest = units - whole * this.units;
  }

  clear(): void {
    this.steps = this.rest = 0;
  }

  get isEmpty(): boolean {
    return this.steps + this.rest === 0;
  }

  /** The span in seconds, rounded once if it is a whole number of nanoseconds. */
  get seconds(): number {
    const seconds = mulDiv(this.steps, this.denominator, this.numerator);
    return (seconds * SECOND + (remainder[0]! * SECOND + this.rest) / this.numerator) / SECOND;
  }
}
