import { systemNow, type Driver } from "../drivers/index.js";
import { badValue, requireNumber, requireSynchronous, requireWhole } from "../errors/index.js";
import {
  TimeLedger,
  DisplayClock,
  DisplayCount,
  LONGEST_SETTING,
  SECOND,
  VirtualClock,
  type ExactRate,
} from "../time/index.js";
import { Attachments } from "./attachments.js";
import type { FrameCap } from "./frame-cap.js";
import type { FrameInfo, OverloadInfo, StepInfo, Writable } from "./info.js";
import type { Callbacks, LoopOptions } from "./options.js";
import { BETWEEN_STEPS, DRAWING, IDLE, IN_STEP, LONGEST_ELAPSED, SPECIAL } from "./phases.js";
import type { Policy } from "./policy.js";
import { stepping } from "./rate-in-step.js";
import * as figure from "./fields.js";
import { LoopStats, Tally } from "./stats.js";
import type { StepPlan } from "./stepping.js";

// Of the module's own, as V8 looks an import up in every frame.
const [idle, drawing, inStep, current] = [IDLE, DRAWING, IN_STEP, stepping];

/**
 * What a loop does in a frame: takes its time, runs its steps, draws it.
 *
 * Its fields are not `#private`, and are first written in the constructor, with values of the kind
 * that they will hold: V8 then knows that kind and reads them without looking, which halves the
 * cost of a frame.
 */
export abstract class Frames {
  protected readonly options: LoopOptions;
  /** The options, if they have both. */
  private readonly callbacks: Required<Callbacks>;
  private readonly now: () => number;
  protected driver: Driver | undefined;
  protected readonly attached: Attachments;
  protected readonly clock: VirtualClock;
  protected policy: Policy;
  /** The policy whose bound the ledger have. */
  private boundPolicy: Policy;
  /** Frames shorter than this many seconds have few steps, and none to leave out. */
  private short: number;
  protected fraction!: ExactRate;
  private numerator!: number;
  private denominator!: number;
  protected ledger!: TimeLedger;
  protected tally!: Tally;
  protected figures!: LoopStats;
  /** Followed instead of the exact count of the ledger, where another stepping was asked for. */
  protected plan: StepPlan | undefined;
  /** Whether frames are paced as those of a display. */
  protected paced: boolean;
  protected shows: "interpolate" | "latest" | "speculate";
  /** The rate is not known yet: frames are drawn, and nothing is stepped. */
  protected waiting: boolean;
  protected displayClock: DisplayClock | undefined;
  private count: DisplayCount | undefined;
  /** Where the picture of a blend would lie, were it one. */
  protected blend: number;
  /** By how many steps the ledger are ahead: 1 where steps are counted for a display. */
  private early!: number;
  /** Refreshes of the present frame; 0 if the display's lattice does not tell. */
  protected refreshes: number;
  /** The same with refreshes that had no frame, or the best guess; 0 if unknown. */
  protected covered: number;
  /** Refreshes of frames that a cap has left out since the last drawn one, and the time that one showed; NaN before the first. */
  private undrawn: number;
  private drawnTime: number;
  protected cap: FrameCap | undefined;

  /** The rate of the loop in whose step this one is advanced, if any. */
  private outerRate: ExactRate | undefined;
  protected nextTick!: number;
  /**
   * Where it is. `SPECIAL` beside that keeps a frame off the short way: its time is more than added, or more belongs to
   * its steps and its drawing than the callbacks. Whatever may make it so sets it, and a special frame looks again.
   */
  protected phase: number;
  /** Whether the clock is read. */
  private timed!: boolean;
  /** By pause, stop or reset: the present frame runs no further step. */
  protected interrupted: boolean;
  /** By stop: the present frame calls nothing more. */
  protected halted: boolean;
  /** Steps that runSteps was asked for, else 0. They count as steps, not as speed. */
  private forced: number;
  /** By reset in a callback: it takes place once the step or frame has ended. */
  protected resetAsked: boolean;

  /** The driver's last timestamp; NaN before the first. */
  protected timestamp!: number;
  /** What rounding to whole nanoseconds has left over. */
  private carry: number;
  /** The rest of the overstep that this frame found. */
  private restBefore: number;
  /** What a step has cost lately, and what is left of the frame's budget, in nanoseconds. */
  private stepCost: number;
  private budgetLeft: number;

  private readonly stepInfo: Writable<StepInfo>;
  protected readonly frameInfo: Writable<FrameInfo>;
  private readonly overloadInfo: Writable<OverloadInfo>;

  /** Whoever extends it restarts it once, when it has set what a restart looks at: fields that are written once are quicker to read. */
  protected constructor(options: LoopOptions, policy: Policy) {
    const { step, render, now } = options;
    this.options = options;
    this.callbacks =
      step && render
        ? (options as Required<Callbacks>)
        : { step: (info) => options.step?.(info), render: (info) => options.render?.(info) };
    this.driver = options.driver;
    this.now = now ?? (() => (this.driver ? this.driver.now() : systemNow()));
    this.attached = new Attachments();
    this.clock = new VirtualClock();
    this.policy = this.boundPolicy = policy;
    // Fractions at first, so that engines hold these fields as doubles and never allocate for them.
    this.short =
      this.carry =
      this.stepCost =
      this.budgetLeft =
      this.restBefore =
      this.blend =
      this.drawnTime =
        0.5;
    this.refreshes = this.covered = this.undrawn = 0;
    this.paced = this.waiting = false;
    this.shows = "interpolate";
    this.stepInfo = { tick: 0, dt: 0.5, time: 0.5 };
    this.frameInfo = { alpha: 0.5, tick: 0, steps: 0, shownTime: 0.5, delta: 0.5, realDelta: 0.5 };
    this.overloadInfo = { tick: 0, lost: 0.5, debt: 0.5, clamped: 0.5, skipped: 0 };
    this.phase = SPECIAL;
    this.interrupted = this.halted = this.resetAsked = false;
    this.forced = 0;
    this.outerRate = undefined;
  }

  /** Ends it. Inside a callback, the present step is finished and nothing more is called. */
  abstract stop(): void;

  protected timeOf(tick: number): number {
    return (tick * this.denominator) / this.numerator;
  }

  /** Back to tick 0, at a rate. */
  protected restart(rate: ExactRate): void {
    // It may be paced otherwise now.
    this.phase |= SPECIAL;
    this.fraction = rate;
    [this.numerator, this.denominator] = rate;
    this.nextTick = this.carry = this.stepCost = this.undrawn = 0;
    this.timestamp = this.drawnTime = NaN;
    this.stepInfo.dt = this.timeOf(1);
    this.clock.reset();
    this.attached.restart(rate);
    this.ledger = new TimeLedger(rate);
    this.plan = this.options.stepping?.plan(rate);
    this.cap?.restart();
    // What is known of a display still holds.
    this.displayClock = this.paced ? (this.displayClock ?? new DisplayClock()) : undefined;
    this.count = this.paced && !this.plan ? new DisplayCount(this.ledger.overstep) : undefined;
    this.early = this.count ? 1 : 0;
    this.tally = new Tally(() => this.progress, this.now);
    this.figures = new LoopStats(this.tally, this.stepInfo.dt, this.ledger.lost);
    this.frameInfo.delta = this.frameInfo.realDelta = 0;
    this.tally.note(figure.GAIN, this.lead * SECOND);
    this.describeFrame(0);
    this.applyPolicy();
  }

  /** Not in a frame: what it leaves out is settled by the policy it began with. */
  protected applyPolicy(): void {
    const { policy, ledger } = this;
    this.boundPolicy = policy;
    this.timed = policy.timed;
    this.tally.note(figure.LOST, ledger.setBound(policy.catchUpNs) * SECOND);
    // Few steps, and what they are counted in stays below 2^53 on top of any rest.
    this.short = Math.min(
      policy.maxFrameNs / SECOND,
      this.timeOf(Math.min(figure.MANY, Number.MAX_SAFE_INTEGER / ledger.overstep.units) - 1),
    );
  }

  /** Seconds given and not yet consumed: less than one step; in display counting, more than minus one. */
  get overstep(): number {
    const { overstep } = this.ledger;
    return this.early ? this.timeOf((overstep.rest + 1) / overstep.units - 1) : overstep.seconds;
  }

  /** Seconds by which what is shown is ahead of the strict clock, to go together with a display: up to half a step. */
  get lead(): number {
    return this.count ? this.timeOf(this.count.lead / this.ledger.overstep.units) : 0;
  }

  /** Simulated seconds, the overstep included. */
  private get progress(): number {
    const { tick, shownTime } = this.frameInfo;
    const { rest, units } = this.ledger.overstep;
    return this.plan ? shownTime : this.timeOf(tick + (rest + this.early) / units - this.early);
  }

  /** One frame, so many real seconds after the last: steps what is due, then draws. */
  advance(seconds: number): void {
    // The common frame is apart for speed: all else that a special one does comes to nothing in it. It is
    // kept small, as V8 inlines no function of more than 460 bytes of bytecode.
    if (this.phase !== idle || typeof seconds !== "number" || !(seconds > 0 && seconds < this.short))
      return this.advanceSpecial(seconds);
    const { callbacks, timed, frameInfo: info, stepInfo: step } = this;
    // What a sum is, V8 need not look up wherever it is used.
    const time = seconds + 0;
    const due = this.take(time);
    info.delta = info.realDelta = time;
    info.steps = due;
    this.phase = inStep;
    this.enterSteps();
    try {
      if (timed) this.tally.lap(0);
      let tick = this.nextTick;
      const end = tick + due;
      while (tick < end) {
        step.tick = tick;
        step.time = (tick * this.denominator) / this.numerator;
        const returned: unknown = callbacks.step(step);
        if (returned !== undefined) requireSynchronous("Loop: step", returned);
        if (this.phase !== inStep) return this.runSpecial(true);
        this.nextTick = ++tick;
      }
      this.phase = drawing;
      current.rate = this.outerRate;
      this.show(tick);
      if (timed) this.tally.lap(due);
      this.tally.countFew(due);
      callbacks.render(info);
      if (this.phase !== drawing) return this.endDrawing();
      if (timed) this.tally.lap(1, figure.RENDER_COST);
      this.phase = idle;
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Takes the time of a common frame, and returns the steps that are due. */
  private take(seconds: number): number {
    const { overstep } = this.ledger;
    const { units } = overstep;
    const exact = seconds * 1e9 + this.carry;
    // 3 × 2^51, added to a number below 2^51, leaves no room for a fraction; taken away again, it has rounded it.
    const real = exact + 6755399441055744 - 6755399441055744;
    let { rest } = overstep;
    let due = 0;
    this.carry = exact - real;
    this.restBefore = rest;
    rest += real * this.numerator;
    if (rest >= units) {
      rest -= units;
      due = 1;
      if (rest >= units) return this.takeMore(rest);
    }
    overstep.rest = rest;
    return due;
  }

  /** Takes the steps after the first: few, and sooner counted than divided. */
  private takeMore(rest: number): number {
    const { overstep } = this.ledger;
    let due = 1;
    overstep.rest = rest;
    while (overstep.rest >= overstep.units) {
      overstep.rest -= overstep.units;
      due++;
    }
    return due;
  }

  /** Runs exactly so many steps, paused or not, whatever the policy, and draws once. */
  runSteps(count = 1): void {
    requireWhole("Loop.runSteps: count", count, 0, 1);
    this.refuseWaiting("Loop.runSteps");
    this.enter("Loop.runSteps");
    this.forced = count;
    const info = this.frameInfo;
    info.delta = info.realDelta = 0;
    try {
      for (let left = count; left > 0 && !this.halted && !this.resetAsked; left--) this.runStep();
      this.endSteps();
      info.delta = this.timeOf(info.steps);
      if (this.timed) this.tally.lap(0);
      this.finish(false);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Any frame but the commonest. */
  private advanceSpecial(seconds: number): void {
    requireNumber("Loop.advance: seconds", seconds, -LONGEST_ELAPSED, LONGEST_ELAPSED, "1 / 60");
    this.refuseWaiting("Loop.advance");
    this.frameOf(seconds);
  }

  /** A frame so many real seconds after the last; NaN for a driver's first. */
  protected frameOf(seconds: number): void {
    this.enter("Loop.advance");
    const { clock, ledger, frameInfo: info } = this;
    const { maxFrameNs } = this.policy;
    const exact = seconds > 0 ? seconds * SECOND + this.carry : this.carry;
    let real = Math.round(exact);
    // Of two that are as near the even one, as in the common frame.
    if (real - exact === 0.5) real -= real % 2;
    this.carry = exact - real;
    if (seconds <= 0) this.tally.note(figure.WITHOUT_TIME, 1);
    try {
      const virtual = this.waiting ? 0 : clock.advance(Math.min(real, maxFrameNs));
      info.realDelta = seconds > 0 ? seconds : 0;
      info.delta = virtual === real ? info.realDelta : virtual / SECOND;
      if (!clock.paused && !this.waiting) {
        if (this.plan) info.steps = this.plan.take(virtual);
        else if (this.count) this.count.add(virtual, this.refreshes, this.covered || 1);
        else ledger.overstep.add(virtual);
        if (ledger.owing && real > 0) ledger.repay(Math.max(0, clock.scaled(maxFrameNs) - virtual));
        info.steps += ledger.overstep.takeSteps();
        // What the clamp cuts is taken in pieces, so that it can be scaled.
        for (let cut = real - maxFrameNs; cut > 0; cut -= LONGEST_SETTING * SECOND)
          ledger.surplus.add(clock.atScale(Math.min(cut, LONGEST_SETTING * SECOND)));
      }
      this.runSpecial(false);
    } catch (error) {
      throw this.fail(error);
    }
  }

  protected get isIdle(): boolean {
    return this.phase % SPECIAL === IDLE;
  }

  protected get isStepping(): boolean {
    return this.phase % SPECIAL > DRAWING;
  }

  /** What a step is, the display will tell. */
  private refuseWaiting(call: string): void {
    if (this.waiting) badValue(call, "called once the rate is known", "none yet", 'loop.on("rate", …)');
  }

  protected refuseNested(call: string): void {
    if (!this.isIdle)
      badValue(call, "called between frames", `a call at tick ${this.nextTick}`, "it after the frame");
  }

  private enter(call: string): void {
    this.refuseNested(call);
    if (this.boundPolicy !== this.policy) this.applyPolicy();
    this.interrupted = this.halted = false;
    this.phase = BETWEEN_STEPS;
    this.enterSteps();
    this.frameInfo.steps = 0;
    this.restBefore = this.ledger.overstep.rest;
  }

  private enterSteps(): void {
    this.outerRate = current.rate;
    current.rate = this.fraction;
  }

  private leave(): void {
    this.phase = SPECIAL;
    this.ledger.repaid.clear();
    if (this.resetAsked) this.resetNow();
    // Only now, as listeners may have set these again.
    this.interrupted = this.halted = false;
    this.forced = 0;
    this.refreshes = this.covered = 0;
    const { policy, clock } = this;
    const isSpecial =
      this.paced ||
      this.attached.any ||
      !clock.plain ||
      this.ledger.owing ||
      policy !== this.boundPolicy ||
      policy.budgetNs < Infinity ||
      policy.maxSteps < Infinity ||
      this.plan ||
      this.cap ||
      this.shows !== "interpolate";
    this.phase = isSpecial ? SPECIAL : IDLE;
  }

  protected resetNow(): void {
    this.resetAsked = false;
    this.restart(this.fraction);
    this.attached.events.reset.call();
  }

  /** The steps and the drawing of a special frame: from the start, or from a step whose callback has just been called. */
  private runSpecial(isInStep: boolean): void {
    const { stepInfo, frameInfo, timed, tally } = this;
    // The policy that the frame began with.
    const { maxSteps, budgetNs } = this.boundPolicy;
    const most = Math.min(frameInfo.steps, maxSteps);
    this.budgetLeft = budgetNs;
    if (isInStep) this.endStep(stepInfo);
    else this.phase = BETWEEN_STEPS;
    let steps = this.nextTick - frameInfo.tick;
    if (timed) tally.lap(steps);
    // While the next is likely to fit the budget, and at least one.
    while (steps < most && !this.interrupted && (steps === 0 || this.budgetLeft >= this.stepCost)) {
      this.runStep();
      steps++;
      if (timed) tally.lap(1);
      if (budgetNs < Infinity) {
        // In whole nanoseconds, so that sums are exact.
        const cost = Math.round(tally.cost * 1e6);
        this.budgetLeft -= cost;
        this.stepCost = this.stepCost ? Math.floor((7 * this.stepCost + cost) / 8) : cost;
      }
    }
    const isOverload = this.endSteps();
    this.finish(isOverload, this.cap);
  }

  /** Steps that the frame still runs, including the present one, by the policy that it began with. */
  protected get dueSteps(): number {
    const { frameInfo, forced, stepCost, budgetLeft } = this;
    if (this.halted || this.resetAsked || (this.interrupted && !forced)) return 1;
    const { maxSteps, budgetNs } = this.boundPolicy;
    const left = (forced || Math.min(frameInfo.steps, maxSteps)) - (this.nextTick - frameInfo.tick);
    const isBound = !forced && budgetNs < Infinity && stepCost > 0;
    return Math.max(1, isBound ? Math.min(left, Math.floor(budgetLeft / stepCost)) : left);
  }

  /** One step, with all that belongs to it. */
  private runStep(): void {
    const { attached, stepInfo: info } = this;
    info.tick = this.nextTick;
    info.time = this.timeOf(this.nextTick);
    this.plan?.describe(info);
    if (attached.any) attached.events.beforeStep.call(info);
    this.phase = IN_STEP;
    if (attached.any) attached.enterStep(info);
    requireSynchronous("Loop: step", this.callbacks.step(info));
    this.endStep(info);
  }

  private endStep(info: StepInfo): void {
    const { attached } = this;
    if (attached.any) attached.step(info);
    this.phase = BETWEEN_STEPS;
    this.nextTick++;
    this.plan?.pass();
    if (attached.any) attached.events.afterStep.call(info);
  }

  /** Ends the steps of a frame: counts it, and says whether it was overload. */
  private endSteps(): boolean {
    const { overstep, surplus, repaid } = this.ledger;
    const { delta, realDelta, tick: start, steps: due } = this.frameInfo;
    const { plan, tally, forced, early } = this;
    const steps = this.nextTick - start;
    current.rate = this.outerRate;
    this.describeFrame(steps);
    if (
      forced ||
      plan ||
      early ||
      delta !== realDelta ||
      this.interrupted ||
      steps < due ||
      !repaid.isEmpty
    ) {
      const moved = plan
        ? plan.moved()
        : this.timeOf(steps + (overstep.rest - this.restBefore) / overstep.units);
      tally.note(forced ? figure.FORCED : figure.GAIN, (moved - realDelta) * SECOND);
    }
    const isOverload = (steps < due || !surplus.isEmpty) && this.settle(due - steps);
    tally.count(steps);
    this.phase = DRAWING;
    return isOverload;
  }

  /** Measures the movement that the display will show when this frame is drawn. */
  private see(): void {
    const { frameInfo: info, displayClock, undrawn, drawnTime } = this;
    const { delta, realDelta, shownTime, steps } = info;
    const refreshes = this.covered + undrawn;
    this.drawnTime = shownTime;
    this.undrawn = 0;
    if (!displayClock || this.covered === 0 || !(delta > 0) || Number.isNaN(drawnTime)) return;
    // The virtual seconds, and below the steps, that a refresh should move. Time that the clamp cut off has no virtual time.
    const scale = delta / Math.min(realDelta, this.boundPolicy.maxFrameNs / SECOND);
    const period = displayClock.locked
      ? displayClock.period / displayClock.multiple / 1e3
      : realDelta / refreshes;
    const ideal = period * scale;
    const ratio = ideal / this.timeOf(1);
    const whole = Math.round(ratio);
    const isRegular =
      this.plan ||
      this.refreshes === 0 ||
      !(Math.abs(ratio / whole - 1) < 0.02) ||
      steps === whole * refreshes;
    this.tally.see(refreshes, (shownTime - drawnTime) / ideal, !isRegular);
  }

  /** Books the steps left out as overload; not those that pause, stop, reset or an error made never exist. */
  private settle(left: number): boolean {
    const { surplus, repaid, debt } = this.ledger;
    const info = this.overloadInfo;
    const { plan } = this;
    // Even then, what was owed before is owed still.
    const skipped = this.interrupted ? Math.min(left, repaid.steps) : left;
    info.clamped = surplus.seconds;
    if (plan) {
      const time = plan.skip(left);
      if (skipped) surplus.add(time);
    } else surplus.steps += skipped;
    if (surplus.isEmpty) return false;
    info.tick = this.nextTick;
    info.skipped = skipped;
    info.lost = this.ledger.settle();
    info.debt = debt.seconds;
    this.tally.note(figure.LOST, info.lost * SECOND);
    this.tally.note(figure.OVERLOADS, 1);
    return true;
  }

  /** Draws a frame after its steps, with all that belongs to it. Where costs are measured, the clock was just read. */
  private finish(isOverload: boolean, cap?: FrameCap): void {
    if (isOverload && !this.halted) {
      this.attached.events.overload.call(this.overloadInfo);
      if (this.timed) this.tally.lap(0);
    }
    if (this.resetAsked) {
      this.resetNow();
      if (this.timed) this.tally.lap(0);
    }
    if (!this.halted && cap?.skips(this.frameInfo)) {
      this.undrawn += this.covered;
      return this.leave();
    }
    if (this.attached.any && !this.halted) this.attached.events.beforeRender.call(this.frameInfo);
    if (this.halted) return this.leave();
    if (this.paced) this.see();
    this.callbacks.render(this.frameInfo);
    this.endDrawing();
  }

  private endDrawing(): void {
    if (this.attached.any) this.attached.render(this.frameInfo);
    if (this.timed) this.tally.lap(1, figure.RENDER_COST);
    this.leave();
  }

  /** Stops after an error, which is the one to report. */
  protected giveUp(): void {
    try {
      this.stop();
    } catch {
      // Not this one.
    }
  }

  private describeFrame(steps: number): void {
    const { frameInfo: info, plan } = this;
    this.show(this.nextTick);
    info.steps = steps;
    if (!plan && this.shows === "interpolate") return;
    this.blend = info.alpha;
    if (!plan && this.shows === "speculate") {
      info.shownTime = this.timeOf(this.nextTick + info.alpha);
      return;
    }
    // The other steppings show the newest state, too.
    info.alpha = 1;
    info.shownTime = plan ? plan.time : this.timeOf(this.nextTick);
  }

  /** Shows the state of a tick, blended with the one before by the overstep. */
  private show(tick: number): void {
    const { frameInfo: info } = this;
    const { overstep } = this.ledger;
    const alpha = (overstep.rest + this.early) / overstep.units;
    info.alpha = alpha;
    info.tick = tick;
    // Before the first step there is no previous state: state 0 is shown.
    info.shownTime = tick > 0 ? ((tick - 1 + alpha) * this.denominator) / this.numerator : 0;
  }

  /** After an error in a callback: stops, with the ledger in order, so that it can go on. */
  private fail(error: unknown): unknown {
    const info = this.frameInfo;
    if (this.isStepping) {
      this.interrupted = true;
      // Not one step was run: then the frame never existed, or the picture would jump back.
      if (this.nextTick === info.tick && !this.forced) {
        this.ledger.revert(this.restBefore);
        this.count?.revert();
        this.plan?.revert();
        info.steps = 0;
      }
      this.endSteps();
    }
    this.giveUp();
    try {
      this.leave();
    } catch {
      // The first error is the one to report.
    }
    return error;
  }
}
