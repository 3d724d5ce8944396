import { SECOND, type DisplayClock, type ExactRate, type TimeScale } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { Attachments } from "./attachments.js";
import type { FrameCap } from "./frame-cap.js";
import type { FrameHost, FrameParts } from "./frame-parts.js";
import type { FrameInfo, Writable } from "./info.js";
import type { MotionMeter } from "./motion-meter.js";
import type { Callbacks } from "./options.js";
import { Overload } from "./overload.js";
import { IDLE } from "./phase.js";
import { PlainFrames, type PlainFrameHost } from "./plain-frames.js";
import type { Policy } from "./policy.js";
import type { Presentation } from "./presentation.js";
import { StepRunner } from "./step-runner.js";
import * as figure from "./tally-fields.js";
import type { Tally } from "./tally.js";

/**
 * Runs frames: takes a frame's time, runs the steps that are due, and draws.
 *
 * Its fields are not `#private`, and the constructor writes each of them first with a value of the kind it will hold: V8
 * then reads them without checks, which halves the cost of a frame.
 */
export class FrameRunner implements PlainFrameHost {
  readonly steps: StepRunner;
  readonly plain: PlainFrames;
  readonly info: Writable<FrameInfo>;
  accumulator!: Accumulator;
  tally!: Tally;
  cap: FrameCap | undefined;
  /** Real seconds since the last frame, NaN if unknown: set it, then call `run`. */
  seconds: number;
  /** The policy of the next frame. */
  nextPolicy: Policy;
  /** Whether the rate is not known yet: frames are drawn, but nothing is stepped. */
  isWaiting: boolean;
  /** Set by stop: the current frame calls nothing more. */
  isHalted: boolean;
  /** Set by configure inside a callback: the rate changes once the frame has ended. */
  isRateRequested: boolean;
  /** Set by reset inside a callback: the reset happens once the step or frame has ended. */
  isResetRequested: boolean;
  /** Set by a hit-stop inside a step: it begins once the step has ended. */
  private isFreezing: boolean;
  private readonly overload = new Overload();
  private meter: MotionMeter | undefined;
  /** Whether no step has run yet, or a change of the rate still has an effect on what is due or shown. */
  private isUnusual = true;
  /** The policy of the current frame. */
  private policy: Policy;
  /** The display's clock, if the current frame comes from it. */
  private display: DisplayClock | undefined;
  /** Steps that `runSteps` was asked for, else 0. They count as steps, not as speed. */
  private forced = 0;

  constructor(
    private readonly callbacks: Required<Callbacks>,
    private readonly attached: Attachments,
    private readonly presentation: Presentation,
    private readonly clock: TimeScale,
    policy: Policy,
    private readonly host: FrameHost,
  ) {
    this.steps = new StepRunner(callbacks, attached);
    this.isWaiting = this.isHalted = this.isFreezing = this.isRateRequested = this.isResetRequested = false;
    this.cap = this.meter = this.display = undefined;
    this.policy = this.nextPolicy = policy;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.seconds = 0.5;
    this.info = { alpha: 0.5, tick: 0, steps: 0, shownTime: 0.5, delta: 0.5, realDelta: 0.5 };
    this.plain = new PlainFrames(callbacks, this.steps, this.info, attached, clock, this);
  }

  /** Starts again at tick 0. */
  restart({ accumulator, tally, meter }: FrameParts): void {
    const { info } = this;
    this.accumulator = accumulator;
    this.tally = tally;
    this.meter = meter;
    this.steps.restart(accumulator);
    this.plain.restart(accumulator, tally);
    this.cap?.restart();
    info.delta = info.realDelta = info.steps = 0;
    this.presentation.describe(info, 0, accumulator);
    tally.note(figure.GAIN, accumulator.lead * SECOND);
    this.applyPolicy();
  }

  /** Changes the rate between frames. */
  changeRate(rate: ExactRate): void {
    const { accumulator, steps } = this;
    accumulator.changeRate(rate, steps.tick);
    steps.info.dt = accumulator.dt;
    this.attached.follow(accumulator, steps.tick, this.info.tick - 1 + this.info.alpha);
    this.applyPolicy();
  }

  /** Changes the policy. The current frame keeps the one it began with. */
  setPolicy(policy: Policy): void {
    this.nextPolicy = policy;
    if (this.steps.isIdle) this.applyPolicy();
    else this.plain.forbid();
  }

  private applyPolicy(): void {
    const { accumulator, nextPolicy: policy } = this;
    this.policy = policy;
    this.tally.note(figure.LOST, accumulator.ledger.setBound(policy.catchUpNs) * SECOND);
    this.limitPlainFrames();
  }

  /** Decides which frames are plain, as far as settings, the rate and the first step matter. */
  private limitPlainFrames(): void {
    const { accumulator, policy } = this;
    this.isUnusual = !accumulator.isUsual(this.steps.tick);
    const isPlain =
      policy.isPlain &&
      accumulator.isExact &&
      !this.isUnusual &&
      !this.cap &&
      this.presentation.present === "interpolate";
    this.plain.setMax(isPlain ? Math.min(policy.maxFrameTime, accumulator.timeOf(figure.MANY - 1)) : 0);
  }

  /** Steps that the current frame still runs, including the current one. */
  get stepsLeft(): number {
    const { info, forced, steps } = this;
    if (this.isHalted || this.isResetRequested || (steps.isInterrupted && !forced)) return 1;
    const left = (forced || Math.min(info.steps, this.policy.maxSteps)) - (steps.tick - info.tick);
    const isBound = !forced && this.policy.budgetNs < Infinity;
    return Math.max(1, isBound ? steps.budget.fitting(left) : left);
  }

  /** Runs a frame, `seconds` after the last one. `display` is its display's clock, if the frame comes from one. */
  run(display: DisplayClock | undefined): void {
    const { accumulator, info, seconds } = this;
    this.enter(display);
    try {
      accumulator.realDelta = seconds;
      if (seconds <= 0) this.tally.note(figure.WITHOUT_TIME, 1);
      if (this.isWaiting) accumulator.takeNone();
      else info.steps = accumulator.take(this.policy, display);
      info.realDelta = accumulator.realDelta;
      info.delta = accumulator.delta;
      this.runDue();
      if (this.policy.rereadClock) this.runOverdue();
      this.draw(this.endSteps(), this.cap);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Runs the steps that are due, before and after hit-stops. */
  private runDue(): void {
    const { accumulator, info, steps } = this;
    do steps.runDue(steps.tick - info.tick, info.steps, accumulator, this.policy, this.tally);
    while (this.freeze());
  }

  /** Runs the steps that became due while the steps of the frame ran, as far as the policy allows. */
  private runOverdue(): void {
    const { accumulator, info, steps, policy } = this;
    const { budget } = steps;
    while (
      !steps.isInterrupted &&
      steps.tick - info.tick === info.steps &&
      info.steps < policy.maxSteps &&
      budget.hasRoom &&
      accumulator.isOverdue(budget.spent, policy, this.display) &&
      this.fitsRefresh()
    ) {
      steps.runTimed(accumulator, this.tally);
      accumulator.borrowed.add();
      info.steps++;
    }
  }

  /** Whether one more step is not likely to delay the frame to a later refresh. */
  private fitsRefresh(): boolean {
    const { display, tally, steps } = this;
    if (!display || !display.locked) return true;
    const drawings = tally.sum(figure.RENDER_COST + 1, true);
    const drawing = drawings > 0 ? tally.sum(figure.RENDER_COST, true) / drawings : 0;
    const period = display.period * 1e6;
    const end = steps.budget.spent + drawing * 1e6;
    return end + steps.budget.usual <= Math.ceil(end / period) * period;
  }

  endStepAndFrame(): void {
    this.steps.end(this.accumulator);
    this.runDue();
    this.draw(this.endSteps(), undefined);
  }

  /** Ends the current frame after the current step. */
  interrupt(): void {
    this.steps.isInterrupted = true;
    this.isFreezing = false;
    this.plain.limit = 0;
  }

  /** Lets a hit-stop begin: after the current step, or at once outside of steps. */
  freezeAfterStep(): void {
    const { steps } = this;
    this.plain.limit = 0;
    if (!steps.isStepping || steps.isInterrupted || this.forced) return;
    steps.isInterrupted = this.isFreezing = true;
  }

  /** Lets a hit-stop that began in a step take the frame's time that is left. Returns whether the frame has steps after it. */
  private freeze(): boolean {
    const { steps, info, accumulator } = this;
    if (!this.isFreezing) return false;
    this.isFreezing = false;
    info.steps -= accumulator.freeze(info.steps - (steps.tick - info.tick));
    info.delta = accumulator.delta;
    steps.isInterrupted = this.clock.isStopped;
    return !steps.isInterrupted;
  }

  /** Runs exactly `count` steps, whatever the policy and even if paused, and draws once. */
  runSteps(count: number): void {
    this.enter(undefined);
    const { info, steps, accumulator } = this;
    this.forced = count;
    accumulator.realDelta = accumulator.delta = info.delta = info.realDelta = 0;
    try {
      for (let left = count; left > 0 && !this.isHalted && !this.isResetRequested; left--)
        steps.run(accumulator);
      this.endSteps();
      info.delta = accumulator.timeOf(info.steps);
      if (this.policy.timed) this.tally.lap(0);
      this.draw(false, undefined);
    } catch (error) {
      throw this.fail(error);
    }
  }

  private enter(display: DisplayClock | undefined): void {
    const { steps, accumulator } = this;
    if (this.policy !== this.nextPolicy) this.applyPolicy();
    steps.isInterrupted = this.isHalted = this.isFreezing = false;
    steps.enter(accumulator.rate);
    this.display = display;
    this.info.steps = 0;
    accumulator.begin();
  }

  private leave(): void {
    this.steps.phase = IDLE;
    this.accumulator.end();
    if (this.isResetRequested) this.resetNow();
    if (this.isRateRequested) this.host.changeRate();
    if (this.isUnusual && this.policy === this.nextPolicy) this.limitPlainFrames();
    // Only now, as listeners may have set these again.
    this.steps.isInterrupted = this.isHalted = this.isFreezing = false;
    this.forced = 0;
    this.display = undefined;
    this.plain.allow();
  }

  /** Resets the loop, which was requested, outside of steps. */
  resetNow(): void {
    this.isResetRequested = false;
    this.host.reset();
  }

  /** Ends the steps of a frame and counts the frame. Returns whether it was overloaded. */
  private endSteps(): boolean {
    const { accumulator, tally, info, steps: runner, forced } = this;
    const due = info.steps;
    const steps = runner.tick - info.tick;
    runner.leave();
    this.presentation.describe(info, runner.tick, accumulator);
    info.steps = steps;
    if (forced || runner.isInterrupted || accumulator.strays(steps, due)) {
      accumulator.measureGain(steps);
      tally.note(forced ? figure.FORCED : figure.GAIN, accumulator.gain * SECOND);
    }
    const isCut = steps < due || accumulator.isClamped;
    const isOverload = isCut && this.overload.settle(due - steps, runner, accumulator, tally);
    tally.count(steps);
    return isOverload;
  }

  /** Draws a frame after its steps. With measured costs, the clock was just read. */
  private draw(isOverload: boolean, cap: FrameCap | undefined): void {
    const { attached, info, display } = this;
    if (isOverload && !this.isHalted) {
      attached.events.overload.call(this.overload.info);
      if (this.policy.timed) this.tally.lap(0);
    }
    if (this.isResetRequested) {
      this.resetNow();
      if (this.policy.timed) this.tally.lap(0);
    }
    if (cap && !this.isHalted && cap.skips(info)) {
      this.meter?.skip(display);
      return this.leave();
    }
    if (attached.any && !this.isHalted) attached.events.beforeRender.call(info);
    if (this.isHalted) return this.leave();
    if (this.meter) this.meter.see(info, display, this.accumulator, this.policy, this.tally);
    this.callbacks.render(info);
    this.endDrawing();
  }

  endDrawing(): void {
    if (this.attached.any) this.attached.render(this.info);
    if (this.policy.timed) this.tally.lap(1, figure.RENDER_COST);
    this.leave();
  }

  /** Handles an error of a callback: stops the loop in an orderly state, from which it can continue. */
  fail(error: unknown): unknown {
    const { info, steps } = this;
    if (steps.isStepping) {
      steps.isInterrupted = true;
      // No step completed: undo the whole frame, or the picture would jump back.
      if (steps.tick === info.tick && !this.forced) {
        this.accumulator.revert();
        info.steps = 0;
      }
      this.endSteps();
    }
    this.host.stop();
    try {
      this.leave();
    } catch {
      // Report the original error, not this one.
    }
    return error;
  }
}
