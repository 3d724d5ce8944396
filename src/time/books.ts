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
  /** Whether there is any debt. */
  owing = false;
  readonly lost: Span;
  /** What the present frame could not step, until it is settled. */
  readonly surplus: Span;
  /** The most debt; with none, all surplus is lost. */
  readonly #bound: Span;

  readonly #rate: ExactRate;

  constructor(rate: ExactRate) {
    this.#rate = rate;
    this.overstep = new Span(rate);
    this.debt = new Span(rate);
    this.lost = new Span(rate);
    this.surplus = new Span(rate);
    this.#bound = new Span(rate);
  }

  /** Sets the most nanoseconds of debt; what is owed beyond is lost. */
  setBound(nanoseconds: number): void {
    this.#bound.clear();
    this.#bound.add(nanoseconds);
    // Not by way of the surplus, which a frame may be filling just now.
    const kept = new Span(this.#rate);
    this.debt.moveTo(kept, this.#bound);
    this.debt.moveTo(this.lost);
    kept.moveTo(this.debt);
    this.owing = !this.debt.isEmpty;
  }

  /** Pays debt back into the time to be stepped, at most so many nanoseconds, and hands out whole steps. */
  repay(most: number): number {
    const { overstep, surplus } = this;
    surplus.add(most);
    this.debt.moveTo(overstep, surplus);
    surplus.clear();
    this.owing = !this.debt.isEmpty;
    const { steps } = overstep;
    overstep.steps = 0;
    return steps;
  }

  /** Turns the surplus into debt up to the bound, loses the rest, and returns the seconds lost. */
  settle(): number {
    const { debt, surplus } = this;
    debt.moveTo(surplus);
    surplus.moveTo(debt, this.#bound);
    this.owing = !this.debt.isEmpty;
    const { seconds } = surplus;
    surplus.moveTo(this.lost);
    return seconds;
  }
}
