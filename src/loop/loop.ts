import {
  Books,
  exactRate,
  LONGEST_SETTING,
  refuse,
  requireNumber,
  requireType,
  requireWhole,
  SECOND,
  VirtualClock,
  type ExactRate,
  type Rate,
} from "../time/index.js";
import { Attachments } from "./attachments.js";
import type { Beat } from "./beats.js";
import type { LoopEvents } from "./events.js";
import type { FrameInfo, OverloadInfo, StepInfo, Writable } from "./info.js";
import { checkOptions, type LoopOptions, type LoopSettings, type System } from "./options.js";
import { policyOf, type Policy, type PolicyOptions } from "./policy.js";
import * as figure from "./stats.js";
import { LoopStats, Tally } from "./stats.js";
import type { StepPlan } from "./stepping.js";

// Where the loop is. It cannot be entered again in a frame; a step lasts from its beats to its `step` listeners.
const IDLE = 0;
const BETWEEN_STEPS = 1;
const IN_STEP = 2;
const DRAWING = 3;

/** The most seconds between two frames, 46 days: nanoseconds and a half of one stay below 2^53. */
const LONGEST_ELAPSED = 4e6;

/** Turns the time that a display produces into steps of exactly `1 / rate`, and draws between them. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #now: () => number;
  readonly #attached = new Attachments();
  readonly #events = this.#attached.events;
  readonly #clock = new VirtualClock();
  #policy!: Policy;
  /** The policy whose bound the books have. */
  #boundPolicy: Policy | undefined;
  /** Frames shorter than this many seconds have few steps, and none to leave out. */
  #short = 0.5;
  #rate!: ExactRate;
  #numerator = 1;
  #denominator = 1;
  #books!: Books;
  /** Followed instead of the exact count of the books, where another stepping was asked for. */
  #plan: StepPlan | undefined;
  #tally!: Tally;
  #stats!: LoopStats;

  #tick = 0;
  /**
   * A frame is more than steps of its whole time and a picture: anything is attached, measured,
   * bounded, scaled, paused or owed. Whatever may make it so sets this, and a special frame looks again.
   */
  #special = true;
  #running = false;
  #phase = IDLE;
  /** By pause, stop or reset: the present frame runs no further step. */
  #interrupted = false;
  /** By stop: the present frame calls nothing more. */
  #halted = false;
  /** By reset in a callback: it takes place once the step or frame has ended. */
  #resetAsked = false;

  /** The driver's last timestamp; NaN before the first. */
  #timestamp = NaN;
  /** What rounding to whole nanoseconds has left over. */
  #carry = 0;
  /** What a step has been costing of late, in nanoseconds. */
  #stepCost = 0;

  // Fractions at first, so that engines hold these fields as doubles and never allocate for them.
  readonly #stepInfo: Writable<StepInfo> = { tick: 0, dt: 0.5, time: 0.5 };
  readonly #frameInfo: Writable<FrameInfo> = {
    alpha: 0.5,
    tick: 0,
    steps: 0,
    shownTime: 0.5,
    delta: 0.5,
    realDelta: 0.5,
  };
  readonly #overloadInfo: Writable<OverloadInfo> = {
    tick: 0,
    lost: 0.5,
    debt: 0.5,
    clamped: 0.5,
    skipped: 0,
  };

  constructor(options: LoopOptions) {
    checkOptions(options);
    const { driver, now, timeScale = 1 } = options;
    this.#options = options;
    this.#now = now ?? (() => driver!.now());
    this.#clock.setScale("Loop", timeScale, 0);
    this.#set("Loop", options, options.rate);
  }

  /** The next step's number; the number of the current state. */
  get tick(): number {
    return this.#tick;
  }
  /** Steps a second, as a fraction in lowest terms. */
  get rate(): readonly [numerator: number, denominator: number] {
    return this.#rate;
  }
  /** Seconds that a step simulates: `1 / rate`. */
  get dt(): number {
    return this.#timeOf(1);
  }
  /** Simulated seconds: `tick / rate`. */
  get time(): number {
    return this.#plan?.time ?? this.#timeOf(this.#tick);
  }
  #timeOf(tick: number): number {
    return (tick * this.#denominator) / this.#numerator;
  }
  /** Where the last frame's picture lies between the previous state (0) and the current one (1). */
  get alpha(): number {
    return this.#frameInfo.alpha;
  }
  /** Simulated seconds that the last frame showed. */
  get shownTime(): number {
    return this.#frameInfo.shownTime;
  }
  /** Seconds given and not yet consumed: less than one step. */
  get overstep(): number {
    return this.#books.overstep.seconds;
  }
  /** Seconds owed under `{ catchUp }`. */
  get debt(): number {
    return this.#books.debt.seconds;
  }
  get stats(): LoopStats {
    return this.#stats;
  }
  get running(): boolean {
    return this.#running;
  }
  get paused(): boolean {
    return this.#clock.paused;
  }
  /** Virtual seconds a real second, as set or as a ramp has it now; pausing does not change it. */
  get timeScale(): number {
    return this.#clock.scale;
  }
  /** Takes effect with the next frame. */
  set timeScale(scale: number) {
    this.#special = true;
    this.#clock.setScale("Loop", scale, 0);
  }
  /** Virtual seconds that a real second gives now: the time scale, or 0 while paused. */
  get speed(): number {
    return this.paused ? 0 : this.timeScale;
  }

  /** Leads the time scale evenly to another over so many real seconds: into bullet time, and back. */
  rampTimeScale(scale: number, seconds: number): void {
    this.#special = true;
    this.#clock.setScale("Loop.rampTimeScale", scale, seconds);
  }

  /** Changes settings. A policy may change at any time; the rate before the first frame or after `reset`. */
  configure(settings: Partial<LoopSettings>): void {
    const call = "Loop.configure";
    requireType(`${call}: settings`, settings, "object", "{ maxSteps: 8 }");
    const { rate = this.#rate } = settings;
    this.#set(call, settings, rate);
  }

  #set(call: string, settings: PolicyOptions, given: Rate): void {
    const rate = exactRate(call, given);
    const isNew = `${rate}` !== `${this.#rate}`;
    if (isNew && this.#rate && (this.#phase !== IDLE || this.#stats.frames > 0))
      refuse(
        `${call}: rate`,
        `left alone once a frame was run, as time is tick / rate`,
        given,
        "reset() first",
      );
    const policy = policyOf(call, settings, this.#policy);
    const { now, driver, stepping } = this.#options;
    if (!now && !driver && policy.timed)
      refuse(`${call}: now`, "a clock, for stepBudget and costs", now, "() => performance.now()");
    if (stepping && policy.catchUpNs)
      refuse(`${call}: overload`, '"drop" with stepping', settings.overload, '"drop"');
    this.#policy = policy;
    this.#special = true;
    if (isNew) {
      this.#rate = rate;
      [this.#numerator, this.#denominator] = rate;
      this.#restart();
    }
    if (this.#phase === IDLE) this.#applyBound();
    // Few steps, and what they are counted in stays below 2^53 on top of any rest.
    this.#short = Math.min(
      policy.maxFrameNs / SECOND,
      Math.min(figure.MANY - 1, Number.MAX_SAFE_INTEGER / this.#books.overstep.units - 1) * this.dt,
    );
  }

  /** Not in a frame: what it leaves out is settled by the policy it began with. */
  #applyBound(): void {
    this.#boundPolicy = this.#policy;
    this.#tally.note(figure.LOST, this.#books.setBound(this.#policy.catchUpNs) * SECOND);
  }

  /** Runs `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
  every(rate: Rate, run: (info: StepInfo) => void): Beat {
    this.#special = true;
    // Declared in a step, it waits for the next.
    const after = this.#phase === IN_STEP ? this.#tick : this.#tick - 1;
    return this.#attached.every(rate, run, this.#frameInfo, this.#rate, after);
  }

  /** Listens to an event; returns the function that ends it. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    this.#special = true;
    return this.#attached.on(event, listener);
  }

  /** Adds an object whose `step` and `render` are to be called; returns the function that removes it. */
  add(system: System): () => void {
    this.#special = true;
    return this.#attached.add(system);
  }

  /** Lets the driver run the loop. Its first frame only sets the clock: loading is not game time. */
  start(): void {
    const { driver } = this.#options;
    if (!driver) return refuse("Loop.start: driver", "given", driver, "new Loop({ driver }) or advance()");
    if (this.#running) return;
    this.#running = true;
    this.#timestamp = NaN;
    try {
      driver.start(this.#onTimestamp);
      if (this.#running) this.#events.start.call();
    } catch (error) {
      this.#running = false;
      driver.stop();
      throw error;
    }
  }

  /** Ends it. Inside a callback, the present step is finished and nothing more is called. */
  stop(): void {
    this.#interrupted = this.#halted = this.#special = true;
    if (!this.#running) return;
    this.#running = false;
    this.#options.driver!.stop();
    this.#events.stop.call();
  }

  /** Stands still: frames go on, steps do not, and paused time never existed. */
  pause(): void {
    if (this.paused) return;
    this.#clock.paused = this.#interrupted = this.#special = true;
    this.#events.pause.call();
  }

  resume(): void {
    if (!this.paused) return;
    this.#clock.paused = false;
    this.#events.resume.call();
  }

  /** Back to tick 0: forgets what has happened, keeps what was set. Inside a callback, once that ends. */
  reset(): void {
    this.#resetAsked = this.#interrupted = this.#special = true;
    if (this.#phase === IDLE) this.#resetNow();
  }

  #resetNow(): void {
    this.#resetAsked = false;
    this.#restart();
    this.#events.reset.call();
  }

  #restart(): void {
    const rate = this.#rate;
    this.#tick = this.#carry = this.#stepCost = 0;
    this.#timestamp = NaN;
    this.#stepInfo.dt = this.dt;
    this.#clock.reset();
    this.#attached.restart(rate);
    this.#books = new Books(rate);
    this.#books.setBound(this.#policy.catchUpNs);
    this.#boundPolicy = this.#policy;
    this.#plan = this.#options.stepping?.plan(rate);
    this.#tally = new Tally(() => {
      const { tick, alpha, shownTime } = this.#frameInfo;
      return this.#plan ? shownTime : this.#timeOf(tick + alpha);
    });
    this.#stats = new LoopStats(this.#tally, this.dt, this.#books.lost);
    this.#frameInfo.delta = this.#frameInfo.realDelta = 0;
    this.#describeSpecial(0);
  }

  /** The driver's time, in milliseconds, at which shown time reaches `tick / rate` at the present speed. */
  timestampOf(tick: number): number {
    requireWhole("Loop.timestampOf: tick", tick, 0, this.#tick);
    const info = this.#frameInfo;
    // Before the first step of the accumulator, state 0 is shown already.
    const isShown = this.#plan || info.tick + tick === 0;
    let ahead = isShown
      ? this.#timeOf(tick) - info.shownTime
      : this.#timeOf(tick - info.tick + 1 - info.alpha);
    let real = this.#tally.real(false) / SECOND;
    if (this.#isStepping) {
      // The clocks have this frame's time already, the picture not yet.
      ahead -= info.delta + this.#books.repaid.seconds;
      real += info.realDelta;
    }
    const { driver } = this.#options;
    const now = !driver ? real * 1e3 : Number.isNaN(this.#timestamp) ? driver.now() : this.#timestamp;
    return now + this.#clock.realSecondsFor(ahead) * 1e3;
  }

  /** One frame, so many real seconds after the last: steps what is due, then draws. */
  advance(seconds: number): void {
    // Here is the common frame, apart for speed: all else that a special one does comes to nothing in it.
    if (
      this.#special ||
      this.#phase !== IDLE ||
      typeof seconds !== "number" ||
      !(seconds > 0 && seconds < this.#short)
    )
      return this.#advanceSpecial(seconds);
    const { overstep } = this.#books;
    const { rest } = overstep;
    const options = this.#options;
    const info = this.#frameInfo;
    const step = this.#stepInfo;
    const start = this.#tick;
    const real = this.#elapse(seconds);
    const due = overstep.takeFew(real);
    this.#phase = IN_STEP;
    info.delta = info.realDelta = seconds;
    try {
      for (let tick = start; tick < start + due;) {
        step.tick = tick;
        step.time = this.#timeOf(tick);
        options.step?.(step);
        if (this.#special) return this.#goOn(real, start, due, rest);
        this.#tick = ++tick;
      }
      this.#phase = DRAWING;
      this.#describeFrame(due);
      this.#tally.frame(due);
      options.render?.(info);
      if (this.#special) this.#endFrame();
      else this.#phase = IDLE;
    } catch (error) {
      throw this.#fail(error, real, start, due, rest);
    }
  }

  /** Ends a common frame that has become special in its `render`. */
  #endFrame(): void {
    this.#attached.render(this.#frameInfo);
    this.#leave();
  }

  /** Goes on with a frame that has become special in one of its steps. */
  #goOn(real: number, start: number, due: number, rest: number): void {
    this.#endStep(this.#stepInfo);
    // Untimed: a budget set in that step holds from the next frame on.
    while (this.#tick - start < due && !this.#interrupted) this.#runStep();
    this.#finish(this.#endSteps(real, start, due, rest));
  }

  readonly #onTimestamp = (timestamp: number): void => {
    if (!this.#running) return;
    this.#refuseNested("Driver: frame");
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    const elapsed = timestamp - this.#timestamp;
    // A clock that steps back a little is waited for, so that no time is invented; one that leaps is followed.
    if (!(elapsed <= 0 && elapsed >= this.#policy.maxFrameNs / -1e6)) this.#timestamp = timestamp;
    if (elapsed > 0) this.advance(Math.min(elapsed / 1e3, LONGEST_ELAPSED));
    else this.#frameOf(elapsed);
  };

  /** Runs exactly so many steps, paused or not, whatever the policy, and draws once. */
  runSteps(count = 1): void {
    requireWhole("Loop.runSteps: count", count, 0, 1);
    this.#enter("Loop.runSteps");
    const start = this.#tick;
    const info = this.#frameInfo;
    info.delta = info.realDelta = 0;
    try {
      while (this.#tick - start < count && !this.#halted && !this.#resetAsked) this.#runStep();
      info.delta = this.#timeOf(this.#tick - start);
      this.#endForcedSteps(start);
      this.#finish(false);
    } catch (error) {
      if (this.#isStepping) this.#endForcedSteps(start);
      throw this.#fail(error, 0, 0, 0, 0);
    }
  }

  /** Steps that no time was given for count as steps, and not as speed. */
  #endForcedSteps(start: number): void {
    const steps = this.#tick - start;
    this.#describeSpecial(steps);
    this.#tally.note(figure.FORCED, (this.#plan?.moved?.() ?? this.#timeOf(steps)) * SECOND);
    this.#tally.count(steps);
    this.#phase = DRAWING;
  }

  /** Any frame but the commonest. */
  #advanceSpecial(seconds: number): void {
    requireNumber("Loop.advance: seconds", seconds, -LONGEST_ELAPSED, LONGEST_ELAPSED, "1 / 60");
    this.#frameOf(seconds);
  }

  /** A frame so many real seconds after the last; NaN for a driver's first. */
  #frameOf(seconds: number): void {
    this.#enter("Loop.advance");
    const { maxFrameNs, maxSteps } = this.#policy;
    const clock = this.#clock;
    const books = this.#books;
    const info = this.#frameInfo;
    const start = this.#tick;
    const { rest } = books.overstep;
    const real = seconds > 0 ? this.#elapse(seconds) : 0;
    let due = 0;
    if (seconds <= 0) this.#tally.note(figure.WITHOUT_TIME, 1);
    try {
      const virtual = clock.advance(Math.min(real, maxFrameNs));
      info.realDelta = seconds > 0 ? seconds : 0;
      info.delta = virtual === real ? info.realDelta : virtual / SECOND;
      if (!clock.paused) {
        due = (this.#plan ?? books.overstep).take(virtual);
        if (books.owing && real > 0) due += books.repay(Math.max(0, clock.most(maxFrameNs) - virtual));
        // What the clamp cuts is taken in pieces, so that it can be scaled.
        for (let cut = real - maxFrameNs; cut > 0; cut -= LONGEST_SETTING * SECOND)
          books.surplus.add(clock.atScale(Math.min(cut, LONGEST_SETTING * SECOND)));
        this.#runDue(Math.min(due, maxSteps));
      }
      const isOverload = this.#endSteps(real, start, due, rest);
      this.#special =
        this.#attached.any ||
        this.#policy.timed ||
        !!this.#plan ||
        !clock.plain ||
        books.owing ||
        this.#policy !== this.#boundPolicy ||
        this.#policy.maxSteps < Infinity ||
        this.#resetAsked ||
        this.#halted;
      this.#finish(isOverload);
    } catch (error) {
      throw this.#fail(error, real, start, due, rest);
    }
  }

  /** Whole nanoseconds, what rounding leaves over being carried. */
  #elapse(seconds: number): number {
    const exact = seconds * SECOND + this.#carry;
    const real = Math.floor(exact + 0.5);
    this.#carry = exact - real;
    return real;
  }

  get #isStepping(): boolean {
    return this.#phase === IN_STEP || this.#phase === BETWEEN_STEPS;
  }

  #refuseNested(call: string): void {
    if (this.#phase !== IDLE)
      refuse(
        call,
        "called outside the loop's callbacks",
        `a call at tick ${this.#tick}`,
        "it after the frame",
      );
  }

  #enter(call: string): void {
    this.#refuseNested(call);
    if (this.#boundPolicy !== this.#policy) this.#applyBound();
    this.#interrupted = this.#halted = false;
    this.#phase = BETWEEN_STEPS;
  }

  #leave(): void {
    this.#interrupted = this.#halted = false;
    this.#phase = IDLE;
    this.#books.repaid.clear();
    if (this.#resetAsked) this.#resetNow();
  }

  /** Runs at most so many steps: while the next is likely to fit the budget, and at least one. */
  #runDue(most: number): void {
    const { timed, budgetNs } = this.#policy;
    let steps = 0;
    let spent = 0;
    let reading = timed && most > 0 ? this.#now() : 0;
    while (steps < most && !this.#interrupted && (steps === 0 || spent + this.#stepCost <= budgetNs)) {
      this.#runStep();
      steps++;
      if (timed) {
        const after = this.#now();
        const cost = costOf(reading, after);
        reading = after;
        spent += cost;
        this.#stepCost = this.#stepCost ? Math.floor((7 * this.#stepCost + cost) / 8) : cost;
      }
    }
    if (timed) {
      this.#tally.note(figure.STEP_COST, spent);
      this.#tally.note(figure.TIMED_STEPS, steps);
    }
  }

  /** One step, with all that belongs to it. */
  #runStep(): void {
    const info = this.#stepInfo;
    info.tick = this.#tick;
    info.time = this.#timeOf(this.#tick);
    this.#plan?.describe?.(info);
    const attached = this.#attached;
    if (attached.any) this.#events.beforeStep.call(info);
    this.#phase = IN_STEP;
    if (attached.any) attached.runBeats(this.#tick);
    this.#options.step?.(info);
    this.#endStep(info);
  }

  #endStep(info: StepInfo): void {
    const attached = this.#attached;
    if (attached.any) attached.step(info);
    this.#phase = BETWEEN_STEPS;
    this.#tick++;
    this.#plan?.pass?.();
    if (attached.any) this.#events.afterStep.call(info);
  }

  /** Ends the steps of a frame that began at a tick and an overstep: counts it, and says whether it was overload. */
  #endSteps(real: number, start: number, due: number, rest: number): boolean {
    const { overstep, surplus, repaid } = this.#books;
    const { delta, realDelta } = this.#frameInfo;
    const plan = this.#plan;
    const steps = this.#tick - start;
    this.#describeSpecial(steps);
    if (plan || delta !== realDelta || this.#interrupted || steps < due || !repaid.isEmpty) {
      const moved = plan
        ? (plan.moved?.() ?? this.#timeOf(steps))
        : this.#timeOf(steps + (overstep.rest - rest) / overstep.units);
      this.#tally.note(figure.GAIN, moved * SECOND - real);
    }
    const isOverload = (steps < due || !surplus.isEmpty) && this.#settle(due - steps);
    this.#tally.count(steps);
    this.#phase = DRAWING;
    return isOverload;
  }

  /** Books the steps left out as overload; not those that pause, stop, reset or an error made never exist. */
  #settle(left: number): boolean {
    const { surplus, repaid } = this.#books;
    const info = this.#overloadInfo;
    const plan = this.#plan;
    // Even then, what was owed before is owed still.
    const skipped = this.#interrupted ? Math.min(left, repaid.steps) : left;
    info.clamped = surplus.seconds;
    if (plan?.skip)
      for (let i = left; i > 0; i--) {
        const part = plan.skip();
        if (i <= skipped) surplus.add(part);
      }
    else surplus.steps += skipped;
    if (surplus.isEmpty) return false;
    info.tick = this.#tick;
    info.skipped = skipped;
    info.lost = this.#books.settle();
    info.debt = this.debt;
    this.#tally.note(figure.LOST, info.lost * SECOND);
    this.#tally.note(figure.OVERLOADS, 1);
    return true;
  }

  /** Draws a frame after its steps, with all that belongs to it. */
  #finish(isOverload: boolean): void {
    const info = this.#frameInfo;
    if (isOverload && !this.#halted) this.#events.overload.call(this.#overloadInfo);
    if (this.#resetAsked) this.#resetNow();
    if (!this.#halted) {
      const { timed } = this.#policy;
      const before = timed ? this.#now() : 0;
      this.#options.render?.(info);
      if (this.#attached.any) this.#attached.render(info);
      if (timed) {
        this.#tally.note(figure.RENDER_COST, costOf(before, this.#now()));
        this.#tally.note(figure.TIMED_FRAMES, 1);
      }
    }
    this.#leave();
  }

  #describeFrame(steps: number): void {
    const info = this.#frameInfo;
    const { overstep } = this.#books;
    const tick = this.#tick;
    const alpha = overstep.rest / overstep.units;
    info.alpha = alpha;
    info.tick = tick;
    info.steps = steps;
    // Before the first step there is no previous state: state 0 is shown.
    info.shownTime = tick === 0 ? 0 : this.#timeOf(tick - 1 + alpha);
  }

  /** The same, with any stepping: all but the accumulator show the newest state. */
  #describeSpecial(steps: number): void {
    this.#describeFrame(steps);
    if (!this.#plan) return;
    this.#frameInfo.alpha = 1;
    this.#frameInfo.shownTime = this.time;
  }

  /** After an error in a callback: stops, with the books in order, so that it can go on. */
  #fail(error: unknown, real: number, start: number, due: number, rest: number): unknown {
    if (this.#isStepping) {
      this.#interrupted = true;
      // Not one step was run: then the frame never existed, or the picture would jump back.
      const isReverted = this.#tick === start;
      if (isReverted) {
        this.#books.revert(rest);
        this.#plan?.revert?.();
      }
      this.#endSteps(real, start, isReverted ? 0 : due, rest);
    }
    for (const end of [() => this.stop(), () => this.#leave()])
      try {
        end();
      } catch {
        // The first error is the one to report.
      }
    return error;
  }
}

/** Nanoseconds between two readings of a clock; one that errs costs nothing. */
function costOf(before: number, after: number): number {
  const cost = Math.round((after - before) * 1e6);
  return cost > 0 && cost < 1e13 ? cost : 0;
}
