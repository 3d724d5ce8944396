import type { ExactRate } from "./rate.js";
import { Span } from "./span.js";

/**
 * The ledger of a loop's time. At the end of every frame, given = consumed + overstep + debt + lost,
 * to the last unit.
 */
export class TimeLedger {
  /** What was given and makes no whole step yet. */
  readonly overstep: Span;
  readonly debt: Span;
  readonly lost: Span;
  /** What the present frame could not step, until it is settled. */
  readonly surplus: Span;
  /** The most debt; with none, all surplus is lost. */
  private readonly bound: Span;
  /** What the present frame has paid back. */
  readonly repaid: Span;

  constructor(rate: ExactRate) {
    this.overstep = new Span(rate);
    this.debt = new Span(rate);
    this.lost = new Span(rate);
    this.surplus = new Span(rate);
    this.bound = new Span(rate);
    this.repaid = new Span(rate);
  }

  /** Whether there is any debt. */
  get owing(): boolean {
    return !this.debt.isEmpty;
  }

  /** Sets the most nanoseconds of debt, between frames, and returns the seconds owed beyond, which are lost. */
  setBound(nanoseconds: number): number {
    this.bound.clear();
    this.bound.add(nanoseconds);
    return this.settle();
  }

  /** Pays debt back into the time to be stepped, at most so many nanoseconds: before there is any surplus. */
  repay(most: number): void {
    const { debt, repaid, surplus } = this;
    surplus.add(most);
    debt.moveTo(repaid, surplus);
    surplus.clear();
    this.overstep.plus(repaid.steps, repaid.rest);
  }

  /** Makes the frame not have been: with the overstep it began with, and what it has repaid owed again. */
  revert(rest: number): void {
    this.overstep.rest = rest;
    this.repaid.moveTo(this.debt);
    this.surplus.clear();
  }

  /** Turns the surplus into debt up to the bound, loses the rest, and returns the seconds lost. */
  settle(): number {
    const { debt, surplus } = this;
    debt.moveTo(surplus);
    surplus.moveTo(debt, this.bound);
    const { seconds } = surplus;
    surplus.moveTo(this.lost);
    return seconds;
  }
}
