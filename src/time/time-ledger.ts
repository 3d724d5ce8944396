import type { ExactRate } from "./rate.js";
import { Span } from "./span.js";

/** Accounts for a loop's time: after each frame, received = simulated + overstep + debt + lost, exactly. */
export class TimeLedger {
  /** Time received that does not make a whole step yet. */
  readonly overstep: Span;
  /** Time that later frames catch up on. */
  readonly debt: Span;
  /** Time that was thrown away. */
  readonly lost: Span;
  /** Time that the current frame could not simulate, until `settle`. */
  readonly surplus: Span;
  /** Maximum debt. If it is 0, all surplus is lost. */
  private readonly bound: Span;
  /** Debt that the current frame has paid back. */
  readonly repaid: Span;

  constructor(rate: ExactRate) {
    this.overstep = new Span(rate);
    this.debt = new Span(rate);
    this.lost = new Span(rate);
    this.surplus = new Span(rate);
    this.bound = new Span(rate);
    this.repaid = new Span(rate);
  }

  /** Counts all time at another rate. The maximum debt must be set again. */
  convert(rate: ExactRate): void {
    for (const span of [this.overstep, this.debt, this.lost, this.surplus, this.bound, this.repaid])
      span.convert(rate);
  }

  /** Whether there is any debt. */
  get owing(): boolean {
    return !this.debt.isEmpty;
  }

  /** Sets the maximum debt, in nanoseconds, between frames. Returns the seconds of debt beyond it, which are lost. */
  setBound(nanoseconds: number): number {
    this.bound.clear();
    this.bound.add(nanoseconds);
    return this.settle();
  }

  /** Moves debt back into the overstep, at most `max` nanoseconds. Called before there is any surplus. */
  repay(max: number): void {
    const { debt, repaid, surplus } = this;
    surplus.add(max);
    debt.moveTo(repaid, surplus);
    surplus.clear();
    this.overstep.plus(repaid.steps, repaid.rest);
  }

  /** Undoes the current frame: restores the overstep's rest, and the debt that was paid back. */
  revert(rest: number): void {
    this.overstep.rest = rest;
    this.repaid.moveTo(this.debt);
    this.surplus.clear();
  }

  /** Turns the surplus into debt up to the bound, and loses the rest. Returns the seconds lost. */
  settle(): number {
    const { debt, surplus } = this;
    debt.moveTo(surplus);
    surplus.moveTo(debt, this.bound);
    const { seconds } = surplus;
    surplus.moveTo(this.lost);
    return seconds;
  }
}
