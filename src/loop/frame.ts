import { requireSynchronous } from "../errors/index.js";
import { SECOND, type DisplayClock, type ExactRate } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { Attachments } from "./attachments.js";
import type { FrameCap } from "./frame-cap.js";
import type { FrameInfo, OverloadInfo, StepInfo, Writable } from "./info.js";
import type { MotionMeter } from "./motion-meter.js";
import type { Callbacks } from "./options.js";
import { BETWEEN_STEPS, DRAWING, IDLE, IN_STEP } from "./phase.js";
import type { Policy } from "./policy.js";
import type { Presentation } from "./presentation.js";
import { stepping } from "./rate-in-step.js";
import { StepBudget } from "./step-budget.js";
import * as figure from "./tally-fields.js";
import type { Tally } from "./tally.js";

// Copies in this module, as V8 looks up an imported binding in every frame.
const [idle, drawing, betweenSteps, inStep, current] = [IDLE, DRAWING, BETWEEN_STEPS, IN_STEP, stepping];

/** What a frame needs of its loop. */
export interface FrameHost {
  /** Stops the loop after an error. */
  stop(): void;
  /** Restarts the loop at tick 0, and emits `reset`. */
  reset(): void;
}

/** The parts of a loop that a restart replaces. */
export interface FrameParts {
  readonly accumulator: Accumulator;
  readonly tally: Tally;
  /** Only with display pacing. */
  readonly meter: MotionMeter | undefined;
}

/**
 * Runs frames: takes a frame's time, runs the steps that are due, and draws.
 *
 * Its fields are not `#private`, and the constructor writes each of them first with a value of the kind it will hold: V8
 * then reads them without checks, which halves the cost of a frame.
 */
export class FrameRunner {
  /** Number of the next step. */
  tick: number;
  /** Where in a frame the loop is: see `phase.ts`. */
  phase: number;
  /** Whether the rate is not known yet: frames are drawn, but nothing is stepped. */
  isWaiting: boolean;
  /** Set by pause, stop and reset: the current frame runs no further step. */
  isInterrupted: boolean;
  /** Set by stop: the current frame calls nothing more. */
  isHalted: boolean;
  /** Set by reset inside a callback: the reset happens once the step or frame has ended. */
  isResetRequested: boolean;
  accumulator!: Accumulator;
  tally!: Tally;
  cap: FrameCap | undefined;
  /** The policy of the next frame. */
  nextPolicy: Policy;
  readonly info: Writable<FrameInfo>;
  readonly stepInfo: Writable<StepInfo>;
  private readonly overloadInfo: Writable<OverloadInfo>;
  private readonly budget = new StepBudget();
  private meter: MotionMeter | undefined;
  /** The policy of the current frame. */
  private policy: Policy;
  /** The display's clock, if the current frame comes from it. */
  private display: DisplayClock | undefined;
  /** Steps that `runSteps` was asked for, else 0. They count as steps, not as speed. */
  private forced: number;
  /** The rate of the loop in whose step this one is advanced, if any. */
  private outerRate: ExactRate | undefined;

  constructor(
    private readonly callbacks: Required<Callbacks>,
    private readonly attached: Attachments,
    private readonly presentation: Presentation,
    policy: Policy,
    private readonly host: FrameHost,
  ) {
    this.tick = this.forced = 0;
    this.phase = IDLE;
    this.isWaiting = this.isInterrupted = this.isHalted = this.isResetRequested = false;
    this.cap = this.meter = this.display = this.outerRate = undefined;
    this.policy = this.nextPolicy = policy;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.stepInfo = { tick: 0, dt: 0.5, time: 0.5 };
    this.info = { alpha: 0.5, tick: 0, steps: 0, shownTime: 0.5, delta: 0.5, realDelta: 0.5 };
    this.overloadInfo = { tick: 0, lost: 0.5, debt: 0.5, clamped: 0.5, skipped: 0 };
  }

  /** Starts again at tick 0. */
  restart({ accumulator, tally, meter }: FrameParts): void {
    const { info, stepInfo } = this;
    this.accumulator = accumulator;
    this.tally = tally;
    this.meter = meter;
    this.tick = 0;
    stepInfo.dt = accumulator.timeOf(1);
    info.delta = info.realDelta = info.steps = 0;
    this.budget.restart();
    this.cap?.restart();
    this.presentation.describe(info, 0, accumulator);
    tally.note(figure.GAIN, accumulator.lead * SECOND);
    this.applyPolicy();
  }

  /** Applies the next policy. Not inside a frame, which keeps the policy it began with. */
  applyPolicy(): void {
    this.policy = this.nextPolicy;
    const lost = this.accumulator.ledger.setBound(this.policy.catchUpNs);
    this.tally.note(figure.LOST, lost * SECOND);
  }

  get isStepping(): boolean {
    return this.phase > DRAWING;
  }

  /** Steps that the current frame still runs, including the current one. */
  get stepsLeft(): number {
    const { info, forced } = this;
    if (this.isHalted || this.isResetRequested || (this.isInterrupted && !forced)) return 1;
    const left = (forced || Math.min(info.steps, this.policy.maxSteps)) - (this.tick - info.tick);
    const isBound = !forced && this.policy.budgetNs < Infinity;
    return Math.max(1, isBound ? this.budget.fitting(left) : left);
  }

  /** Runs a frame, `seconds` of real time after the last one; NaN for a driver's first frame. */
  run(seconds: number, display: DisplayClock | undefined): void {
    const { accumulator, info } = this;
    this.enter(display);
    try {
      accumulator.realDelta = seconds;
      if (seconds <= 0) this.tally.note(figure.WITHOUT_TIME, 1);
      if (this.isWaiting) accumulator.round();
      else info.steps = accumulator.take(this.policy, display);
      info.realDelta = accumulator.realDelta;
      info.delta = accumulator.delta;
      this.runDueSteps();
      this.draw(this.endSteps(), this.cap);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Runs exactly `count` steps, whatever the policy and even if paused, and draws once. */
  runSteps(count: number): void {
    this.enter(undefined);
    const { info } = this;
    this.forced = count;
    info.delta = info.realDelta = 0;
    try {
      for (let left = count; left > 0 && !this.isHalted && !this.isResetRequested; left--) this.runStep();
      this.endSteps();
      info.delta = this.accumulator.timeOf(info.steps);
      if (this.policy.timed) this.tally.lap(0);
      this.draw(false, undefined);
    } catch (error) {
      throw this.fail(error);
    }
  }

  private enter(display: DisplayClock | undefined): void {
    if (this.policy !== this.nextPolicy) this.applyPolicy();
    this.isInterrupted = this.isHalted = false;
    this.phase = betweenSteps;
    this.display = display;
    this.outerRate = current.rate;
    current.rate = this.accumulator.rate;
    this.info.steps = 0;
    this.accumulator.begin();
  }

  private leave(): void {
    this.phase = idle;
    this.accumulator.end();
    if (this.isResetRequested) this.resetNow();
    // Only now, as listeners may have set these again.
    this.isInterrupted = this.isHalted = false;
    this.forced = 0;
  }

  /** Resets the loop between frames or before the frame is drawn. */
  resetNow(): void {
    this.isResetRequested = false;
    this.host.reset();
  }

  private runDueSteps(): void {
    const { budget, tally, info } = this;
    const { maxSteps, budgetNs, timed } = this.policy;
    const max = info.steps < maxSteps ? info.steps : maxSteps;
    if (!timed) {
      for (let steps = 0; steps < max && !this.isInterrupted; steps++) this.runStep();
      return;
    }
    budget.start(budgetNs);
    tally.lap(0);
    // At least one step, and further ones that are likely to fit the budget.
    for (let steps = 0; steps < max && !this.isInterrupted && (steps === 0 || budget.hasRoom); steps++) {
      this.runStep();
      tally.lap(1);
      if (budgetNs < Infinity) budget.spend(tally.cost);
    }
  }

  /** Runs one step, with its beats, systems and listeners. */
  private runStep(): void {
    const { attached, stepInfo: info } = this;
    const { plan } = this.accumulator;
    info.tick = this.tick;
    info.time = this.accumulator.timeOf(this.tick);
    if (plan) plan.describe(info);
    if (attached.any) attached.events.beforeStep.call(info);
    this.phase = inStep;
    if (attached.any) attached.enterStep(info);
    const returned: unknown = this.callbacks.step(info);
    if (returned !== undefined) requireSynchronous("Loop: step", returned);
    if (attached.any) attached.step(info);
    this.phase = betweenSteps;
    this.tick++;
    if (plan) plan.pass();
    if (attached.any) attached.events.afterStep.call(info);
  }

  /** Ends the steps of a frame and counts the frame. Returns whether it was overloaded. */
  private endSteps(): boolean {
    const { accumulator, tally, info } = this;
    const due = info.steps;
    const steps = this.tick - info.tick;
    current.rate = this.outerRate;
    this.presentation.describe(info, this.tick, accumulator);
    info.steps = steps;
    // Most frames simulate just their time.
    const isOverload =
      (steps !== due || !accumulator.isRegular || this.isInterrupted) && this.endIrregular(steps, due);
    tally.count(steps);
    this.phase = drawing;
    return isOverload;
  }

  /** Records time that a frame gained or lost. Returns whether the frame was overloaded. */
  private endIrregular(steps: number, due: number): boolean {
    const { accumulator, tally, info, forced } = this;
    if (forced || this.isInterrupted || accumulator.strays(steps, due)) {
      const gain = accumulator.moved(steps) - info.realDelta;
      tally.note(forced ? figure.FORCED : figure.GAIN, gain * SECOND);
    }
    return (steps < due || accumulator.isClamped) && this.settle(due - steps);
  }

  private settle(left: number): boolean {
    const { overloadInfo: info, tally } = this;
    if (!this.accumulator.settle(left, this.isInterrupted, info)) return false;
    info.tick = this.tick;
    tally.note(figure.LOST, info.lost * SECOND);
    tally.note(figure.OVERLOADS, 1);
    return true;
  }

  /** Draws a frame after its steps. With measured costs, the clock was just read. */
  private draw(isOverload: boolean, cap: FrameCap | undefined): void {
    const { attached, info, display } = this;
    if (isOverload && !this.isHalted) {
      attached.events.overload.call(this.overloadInfo);
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
    if (attached.any) attached.render(info);
    if (this.policy.timed) this.tally.lap(1, figure.RENDER_COST);
    this.leave();
  }

  /** Handles an error of a callback: stops the loop in an orderly state, from which it can continue. */
  private fail(error: unknown): unknown {
    const { info } = this;
    if (this.isStepping) {
      this.isInterrupted = true;
      // No step completed: undo the whole frame, or the picture would jump back.
      if (this.tick === info.tick && !this.forced) {
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
