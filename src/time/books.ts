import type { ExactRate } from "./rate.js";
import { Span } from "./span.js";

/**
 * The books of a loop's time. At the end of every frame, given = consumed + overstep + debt + lost,
 * to the last unit.
 */
export class Books {
  /** What was given and makes no whole step yet. */
  readonly overstep: Span;
  readonly debt: Span;
  readonly lost: Span;
  /** What the present frame could not step, until it is settled. */
  readonly surplus: Span;
  /** The most debt; with none, all surplus is lost. */
  readonly #bound: Span;
  /** Empty between calls. */
  readonly #aside: Span;

  constructor(rate: ExactRate) {
    this.overstep = new Span(rate);
    this.debt = new Span(rate);
    this.lost = new Span(rate);
    this.surplus = new Span(rate);
    this.#bound = new Span(rate);
    this.#aside = new Span(rate);
  }

  /** Whether there is any debt. */
  get owing(): boolean {
    return !this.debt.isEmpty;
  }

  /** Sets the most nanoseconds of debt; what is owed beyond is lost. */
  setBound(nanoseconds: number): void {
    this.#bound.clear();
    this.#bound.add(nanoseconds);
    this.#trim();
  }

  /** Pays debt back into the time to be stepped, at most so many nanoseconds, and hands out whole steps. */
  repay(most: number): number {
    this.#aside.add(most);
    this.debt.moveTo(this.overstep, this.#aside);
    this.#aside.clear();
    return this.overstep.take(0);
  }

  /** Turns the surplus into debt up to the bound, loses the rest, and returns the seconds lost. */
  settle(): number {
    this.surplus.moveTo(this.debt);
    return this.#trim();
  }

  #trim(): number {
    const { debt } = this;
    debt.moveTo(this.#aside, this.#bound);
    const { seconds } = debt;
    debt.moveTo(this.lost);
    this.#aside.moveTo(debt);
    return seconds;
  }
}
