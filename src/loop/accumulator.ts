import { commonRate, DisplayCount, mulDiv, remainder, SECOND, TimeLedger } from "../time/index.js";
import type { DisplayClock, ExactRate, Span, StepTimes, TimeScale } from "../time/index.js";
import { BorrowedSteps } from "./borrowed-steps.js";
import { addClamped, clamp } from "./frame-clamp.js";
import type { FrameInfo, OverloadInfo, Writable } from "./info.js";
import type { Policy } from "./policy.js";
import { RateBridge } from "./rate-bridge.js";
import type { StepPlan } from "./stepping.js";

/** A refresh that is shorter than a step by less than this part counts as a whole step. */
const NEARLY_WHOLE = 0.01;

/** Added to a number below 2^51 and subtracted again, it rounds to the nearest whole number, and ties to the even one. */
const NO_FRACTION = 3 * 2 ** 51;

/**
 * Turns real time into steps: clamps and scales a frame's time, adds it to the overstep, and takes out whole steps. Keeps
 * the overstep, the debt and the lost time exact, in a `TimeLedger`. A loop that restarts creates a new one; one whose rate
 * changes while it runs keeps it.
 *
 * Seconds are passed in fields, as engines allocate doubles that are passed to or returned from calls that they do not
 * inline.
 */
export class Accumulator implements StepTimes {
  rate: ExactRate;
  /** Seconds that a step simulates. */
  dt: number;
  readonly ledger: TimeLedger;
  /** Used instead of the exact accumulator, if another stepping was chosen. */
  readonly plan: StepPlan | undefined;
  /** 1 if steps are counted for a display, where the overstep is kept one step ahead; else 0. */
  readonly early: number;
  /** Real and virtual seconds of the current frame. */
  realDelta: number;
  delta: number;
  /** Nanoseconds of the frame in which time moved, and their virtual time. Of a plain frame, only their ratio is known. */
  moving: number;
  virtual: number;
  /** Seconds that the frame simulated beyond its real time, including the change of the overstep: see `measureGain`. */
  gain: number;
  /** Whether steps are counted exactly, neither for a display nor by a plan. */
  readonly isExact: boolean;
  /** Steps that ran ahead of their time. */
  readonly borrowed = new BorrowedSteps();
  private readonly clock: TimeScale;
  /** The overstep of the ledger. */
  private readonly span: Span;
  private readonly displayCount: DisplayCount | undefined;
  /** The rate in whole units: see `StepTimes`. */
  numerator: number;
  denominator: number;
  offset: number;
  /** The step at which the rate was last changed. */
  origin = 0;
  /** After a change of the rate: steps that have run already, and whose time has yet to come. */
  private ahead = 0;
  /** `ahead`, and the steps of the overstep, before the current frame. */
  private aheadBefore = 0;
  private stepsBefore = 0;
  /** What was shown when the rate was changed, until the next step. */
  private bridge: RateBridge | undefined = undefined;
  /** Real time left over by rounding to whole nanoseconds. */
  private carry: number;
  /** The overstep's rest at the start of the current frame. */
  private restBefore: number;

  /** `isOfDisplay` says that the rate was taken from the display, whose refreshes are then the clock. */
  constructor(
    rate: ExactRate,
    clock: TimeScale,
    plan: StepPlan | undefined,
    isPaced: boolean,
    private isOfDisplay = false,
  ) {
    this.rate = rate;
    [this.numerator, this.denominator] = rate;
    this.dt = this.timeOf(1);
    this.clock = clock;
    this.plan = plan;
    this.ledger = new TimeLedger(rate);
    this.span = this.ledger.overstep;
    this.displayCount = isPaced && !plan ? new DisplayCount(this.ledger.overstep, isOfDisplay) : undefined;
    this.early = this.displayCount ? 1 : 0;
    this.isExact = !plan && !isPaced;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.realDelta = this.delta = this.gain = this.carry = this.restBefore = this.offset = 0.5;
    this.moving = this.virtual = 0.5;
    this.realDelta = this.delta = this.gain = this.carry = this.restBefore = this.offset = 0;
  }

  /** Seconds that `ticks` steps simulate. */
  timeOf(ticks: number): number {
    return (ticks * this.denominator) / this.numerator;
  }

  /** When a step begins, in simulated seconds. */
  timeAt(tick: number): number {
    return (tick * this.denominator + this.offset) / this.numerator;
  }

  /** Describes a frame after its steps: state `tick`, blended with the one before by the overstep. */
  showUsual(info: Writable<FrameInfo>, tick: number): void {
    const { rest, units } = this.span;
    const alpha = (rest + this.early) / units;
    info.tick = tick;
    info.alpha = alpha;
    info.shownTime = this.timeAt(tick - 1 + alpha);
  }

  /** Does the same for any state: also before the first step at this rate, and while steps have to wait. */
  show(info: Writable<FrameInfo>, tick: number): void {
    const { origin, ahead, bridge } = this;
    this.showUsual(info, tick);
    if (tick > origin && ahead === 0) return;
    if (tick === origin && bridge) {
      info.alpha = bridge.alphaAt(this.left);
      // Rounding errors must not turn the picture back.
      info.shownTime = Math.max(bridge.shownTime, this.timeAt(tick) - (1 - info.alpha) * bridge.dt);
      return;
    }
    // Steps that were forced meanwhile must wait, too.
    if (ahead > 0) info.alpha = 0;
    // Before the very first step there is no previous state: the frame shows state 0.
    info.shownTime = this.timeAt(tick > origin ? tick - 1 : tick);
  }

  /** Steps, with a fraction, that the overstep has, beyond those that have run already. */
  private get oversteps(): number {
    const { rest, units, steps } = this.span;
    return (rest + this.early) / units - this.early + steps - this.ahead;
  }

  /** Units until the next step is due. */
  private get left(): number {
    const { rest, units, steps } = this.span;
    return (1 + this.ahead - steps) * units - rest - this.early;
  }

  /** Whether frames after state `tick` are shown as usual, and the last change of the rate has no more effect on their steps. */
  isUsual(tick: number): boolean {
    return tick > this.origin && this.ahead === 0 && this.span.steps === 0;
  }

  /** The moment that state `tick` and the overstep stand for, as a tick with a fraction, if the rate has just changed. */
  positionAt(tick: number): number | undefined {
    const isBridged = this.bridge !== undefined && tick === this.origin;
    return isBridged || this.ahead > 0 ? tick - 1 + this.early + this.oversteps : undefined;
  }

  /** Changes the rate from step `tick` on, between frames. Time that was received, owed or lost stays the same. */
  changeRate(rate: ExactRate, tick: number): void {
    const { span, ledger, borrowed, early, numerator: before } = this;
    const info = { alpha: 0, tick, steps: 0, shownTime: 0, delta: 0, realDelta: 0 };
    this.show(info, tick);
    const dt = this.bridge && tick === this.origin ? this.bridge.dt : this.dt;
    const common = commonRate([before, this.denominator], rate);
    const whole = Math.floor(this.offset);
    const units = mulDiv(tick * this.denominator + whole, common[0], before);
    // Whole, too, unless the rates have no common unit.
    const part = (remainder[0]! + (this.offset - whole) * common[0]) / before;
    this.offset = units - tick * common[1] + part;
    this.origin = tick;
    // The overstep's true value, less steps that have run already.
    span.steps -= this.ahead + borrowed.count + early;
    span.plus(0, early + borrowed.time * before);
    borrowed.keep(0);
    this.displayCount?.convert(before, common[0]);
    ledger.convert(common);
    if (early) span.plus(1, -1);
    this.ahead = Math.max(0, -span.steps);
    span.steps = Math.max(0, span.steps);
    this.isOfDisplay = false;
    this.rate = rate;
    [this.numerator, this.denominator] = common;
    this.dt = this.timeOf(1);
    this.bridge = tick > 0 ? new RateBridge(info, dt, this.left) : undefined;
  }

  /** Seconds received but not yet simulated: less than one step. With display pacing, more than minus one step. */
  get overstep(): number {
    const { span: overstep } = this;
    return this.early || this.ahead > 0 ? this.timeOf(this.oversteps) : overstep.seconds;
  }

  /** Seconds by which display pacing shows the game ahead of the strict clock: see `Loop.lead`. */
  get lead(): number {
    return this.displayCount ? this.timeOf(this.displayCount.lead / this.span.units) : 0;
  }

  /** Simulated seconds at the last frame, including the overstep. */
  progress({ tick, shownTime }: FrameInfo): number {
    return this.plan ? shownTime : this.timeAt(tick + this.oversteps);
  }

  /** Starts a frame. */
  begin(): void {
    this.restBefore = this.span.rest;
    this.stepsBefore = this.span.steps;
    this.aheadBefore = this.ahead;
    if (this.borrowed.isActive) this.borrowed.begin();
  }

  /** Adds no time, as before the rate is known. */
  takeNone(): void {
    this.round();
    this.delta = 0;
  }

  /**
   * Adds the real time in `realDelta` (NaN for unknown, as for a driver's first frame) and returns the steps that are due.
   * Sets `delta`. `display` tells how many refreshes of a display the frame took.
   */
  take({ maxFrameNs }: Policy, display: DisplayClock | undefined): number {
    const { clock, ledger, borrowed } = this;
    // Time that is ignored includes what was borrowed.
    if (borrowed.isActive && (clock.paused || Number.isNaN(this.realDelta))) borrowed.keep(0);
    const real = this.round();
    const clamped = clamp(real, maxFrameNs);
    this.moving = clamped - clock.stopped;
    const virtual = clock.plain ? clamped : clock.advance(clamped);
    this.virtual = virtual;
    this.delta = virtual === real ? this.realDelta : virtual / SECOND;
    if (clock.paused) return 0;
    let planned = 0;
    if (this.plan) planned = this.plan.take(virtual);
    else if (borrowed.isActive) this.addBorrowed(virtual, display);
    else this.add(virtual, display ? display.refreshes : 0, (display && display.covered) || 1);
    if (ledger.owing && real > 0) ledger.repay(Math.max(0, clock.scaled(maxFrameNs) - virtual));
    if (real > maxFrameNs) addClamped(ledger.surplus, clock, real - maxFrameNs);
    const due = planned + this.span.takeSteps();
    return this.ahead > 0 ? this.holdBack(due) : due;
  }

  /**
   * Lets a hit-stop, which has just begun, take the time of the frame's `left` steps, or as much as it needs. Returns how many
   * steps fewer there are. Debt that is paid back is no time of the frame: such steps wait for the end of the hit-stop.
   */
  freeze(left: number): number {
    const { clock, plan, ledger } = this;
    const own = left - ledger.repaid.steps;
    if (!(own > 0 && clock.isStopped)) return 0;
    // Steps may be due in a frame without time, after a change of the rate.
    const hasTime = this.moving > 0 && this.virtual > 0;
    const moving = hasTime ? this.moving : 1;
    const virtual = hasTime ? this.virtual : 1;
    const asked = mulDiv(clock.stopped, virtual, moving);
    let frozen = 0;
    let after = 0;
    if (plan) {
      const time = plan.skip(own);
      frozen = Math.min(asked, time);
      after = plan.take(time - frozen);
    } else {
      frozen = this.freezable(own, asked);
      this.span.plus(own - mulDiv(frozen, this.numerator, this.span.units), -remainder[0]!);
      after = this.span.takeSteps();
    }
    this.delta -= frozen / SECOND;
    // Rounded up, so that no step comes late by a nanosecond. The rounding of `asked` must not leave one either.
    const real =
      frozen === asked ? clock.stopped : mulDiv(frozen, moving, virtual) + Math.sign(remainder[0]!);
    clock.stopped = Math.max(0, clock.stopped - real);
    return own - after;
  }

  /** Returns how many of `asked` nanoseconds `own` steps have: rounded up if the overstep has the rest, else down. */
  private freezable(own: number, asked: number): number {
    const { span, numerator } = this;
    const time = mulDiv(own, span.units, numerator);
    const over = remainder[0]!;
    return Math.min(asked, over > 0 && span.rest >= numerator - over ? time + 1 : time);
  }

  /** Returns the steps of `due` that have not run already. */
  private holdBack(due: number): number {
    const held = Math.min(due, this.ahead);
    this.ahead -= held;
    return due - held;
  }

  /** Adds virtual time to the overstep. */
  private add(nanoseconds: number, refreshes: number, covered: number): void {
    const { displayCount } = this;
    if (!displayCount) return this.span.add(nanoseconds);
    // Refreshes cannot be the clock while time is scaled.
    displayCount.isFollowing = this.isOfDisplay && this.clock.plain;
    displayCount.add(nanoseconds, refreshes, covered);
  }

  /** Adds virtual time, less that of steps that have run already. */
  private addBorrowed(nanoseconds: number, display: DisplayClock | undefined): void {
    const { borrowed, span } = this;
    borrowed.collect(nanoseconds, display ? display.refreshes : 0, (display && display.covered) || 1);
    if (borrowed.time * this.numerator < borrowed.count * this.borrowable) return;
    this.add(borrowed.time, borrowed.refreshes, borrowed.covered);
    const returned = Math.min(borrowed.count, span.steps);
    span.steps -= returned;
    borrowed.keep(borrowed.count - returned);
  }

  /**
   * Returns whether a step became due in the `spent` nanoseconds since the frame began. Such a step may run now: add it to
   * `borrowed`. On a display, only missed refreshes count, as all frames that end before the next refresh are shown with it.
   */
  isOverdue(spent: number, { maxFrameNs }: Policy, display: DisplayClock | undefined): boolean {
    const { clock, borrowed } = this;
    const period = display && display.locked ? display.period * 1e6 : 1;
    const passed = Math.min(Math.floor(spent / period) * period, maxFrameNs - this.realDelta * SECOND);
    if (!(passed > 0) || clock.paused || borrowed.time > 0) return false;
    return clock.scaled(Math.floor(passed)) * this.numerator >= (borrowed.count + 1) * this.borrowable;
  }

  /** Units that must have passed for a step to be borrowed. */
  private get borrowable(): number {
    return this.span.units * (1 - this.early * NEARLY_WHOLE);
  }

  /** Does what `begin` and `take` do, for a plain frame: its time is added as it is, and makes few steps. */
  takePlain(seconds: number): number {
    const { span: overstep } = this;
    const { units, rest: before } = overstep;
    const exact = seconds * 1e9 + this.carry;
    const real = exact + NO_FRACTION - NO_FRACTION;
    let rest = before + real * this.numerator;
    let due = 0;
    this.carry = exact - real;
    this.restBefore = before;
    // Few steps are counted faster than divided.
    while (rest >= units) {
      rest -= units;
      due++;
    }
    overstep.rest = rest;
    return due;
  }

  /** Rounds the frame's real time to whole nanoseconds; the next frame gets the difference. */
  private round(): number {
    if (!(this.realDelta > 0)) this.realDelta = 0;
    const exact = this.realDelta * 1e9 + this.carry;
    const real = exact < 2 ** 51 ? exact + NO_FRACTION - NO_FRACTION : Math.round(exact);
    this.carry = exact - real;
    return real;
  }

  /** Whether the frame simulated other than its real time, after `steps` of `due` steps. */
  strays(steps: number, due: number): boolean {
    return (
      this.early !== 0 ||
      this.delta !== this.realDelta ||
      steps < due ||
      this.plan !== undefined ||
      !this.ledger.repaid.isEmpty ||
      this.borrowed.isActive
    );
  }

  /** Sets `gain`, after `steps` steps. */
  measureGain(steps: number): void {
    const { rest, units } = this.span;
    const waiting = this.aheadBefore - this.ahead - this.stepsBefore;
    const moved = this.plan
      ? this.plan.moved()
      : this.timeOf(steps + waiting + (rest - this.restBefore) / units);
    this.gain = moved - this.realDelta;
  }

  /** Whether the clamp cut off time in this frame. */
  get isClamped(): boolean {
    return !this.ledger.surplus.isEmpty;
  }

  /**
   * Turns time that the frame could not simulate into debt or lost time, and describes it. Returns whether there was any.
   * `left` steps did not run; if a pause, stop or reset interrupted the frame, these never existed, except for the part
   * that was owed before.
   */
  settle(left: number, isInterrupted: boolean, info: Writable<OverloadInfo>): boolean {
    const { surplus, repaid, debt } = this.ledger;
    const skipped = isInterrupted ? Math.min(left, repaid.steps) : left;
    info.clamped = surplus.seconds;
    if (this.plan) {
      const time = this.plan.skip(left);
      if (skipped) surplus.add(time);
    } else surplus.steps += skipped;
    if (surplus.isEmpty) return false;
    info.skipped = skipped;
    info.lost = this.ledger.settle();
    info.debt = debt.seconds;
    return true;
  }

  /** Undoes a frame of which no step completed. */
  revert(): void {
    this.ledger.revert(this.restBefore);
    this.span.steps = this.stepsBefore;
    this.ahead = this.aheadBefore;
    this.displayCount?.revert();
    this.plan?.revert();
    this.borrowed.revert();
  }

  /** Ends the frame. */
  end(): void {
    if (!this.ledger.repaid.isEmpty) this.ledger.repaid.clear();
  }
}
