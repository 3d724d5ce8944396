import { SECOND, type ExactRate } from "./rate.js";

/**
 * An exact length of time, counted at one rate: whole steps and a rest of less than one step.
 * The rest is in units of 1 / numerator nanoseconds, so that nothing is ever rounded.
 */
export class Span {
  steps = 0;
  rest = 0;
  /** Units of a step. As many nanoseconds are a whole number of steps: `numerator` of them. */
  readonly units: number;
  readonly #numerator: number;
  readonly #denominator: number;
  /** Nanoseconds that can be added to any rest without leaving 2^53. */
  readonly piece: number;

  constructor([numerator, denominator]: ExactRate) {
    this.#numerator = numerator;
    this.#denominator = denominator;
    this.units = SECOND * denominator;
    this.piece = Math.floor((Number.MAX_SAFE_INTEGER - this.units) / numerator);
  }

  /** Adds nanoseconds to the rest, and hands out the whole steps that this makes. */
  take(nanoseconds: number): number {
    if (nanoseconds > this.piece) return this.#takeLong(nanoseconds);
    const rest = this.rest + nanoseconds * this.#numerator;
    const steps = Math.floor(rest / this.units);
    this.rest = rest - steps * this.units;
    return steps;
  }

  /** The same for no more than a piece of time and a few steps: those are sooner counted than divided. */
  takeFew(nanoseconds: number): number {
    let rest = this.rest + nanoseconds * this.#numerator;
    let steps = 0;
    for (; rest >= this.units; steps++) rest -= this.units;
    this.rest = rest;
    return steps;
  }

  #takeLong(nanoseconds: number): number {
    const rounds = Math.floor(nanoseconds / this.units);
    let steps = rounds * this.#numerator;
    let left = nanoseconds - rounds * this.units;
    for (; left > this.piece; left -= this.piece) steps += this.take(this.piece);
    return steps + this.take(left);
  }

  /** Adds nanoseconds. */
  add(nanoseconds: number): void {
    this.steps += this.take(nanoseconds);
  }

  /** Moves all of it, or as much as `most`, to another span. */
  moveTo(other: Span, most: Span = this): void {
    const { steps, rest } = this.isLongerThan(most) ? most : this;
    other.#plus(steps, rest);
    this.#plus(-steps, -rest);
  }

  #plus(steps: number, units: number): void {
    const rest = this.rest + units;
    const whole = Math.floor(rest / this.units);
    this.steps += steps + whole;
    this.rest = rest - whole * this.units;
  }

  isLongerThan(other: Span): boolean {
    return this.steps > other.steps || (this.steps === other.steps && this.rest > other.rest);
  }

  get isEmpty(): boolean {
    return this.steps + this.rest === 0;
  }

  clear(): void {
    this.steps = this.rest = 0;
  }

  /** In seconds, rounded once where the span is a whole number of nanoseconds. */
  get seconds(): number {
    const seconds = Math.floor((this.steps * this.#denominator) / this.#numerator);
    const left = this.steps * this.#denominator - seconds * this.#numerator;
    return (seconds * SECOND + (left * SECOND + this.rest) / this.#numerator) / SECOND;
  }
}
