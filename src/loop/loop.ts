import {
  exactRate,
  refuse,
  requireNumber,
  requireType,
  requireWhole,
  SECOND,
  type Rate,
} from "../time/index.js";
import type { Beat } from "./beats.js";
import type { LoopEvents } from "./events.js";
import { Frames, IDLE, IN_STEP, LONGEST_ELAPSED } from "./frames.js";
import type { StepInfo } from "./info.js";
import { checkOptions, type LoopOptions, type LoopSettings, type System } from "./options.js";
import { policyOf, type Policy, type PolicyOptions } from "./policy.js";
import type { LoopStats } from "./stats.js";

/** Turns the time that a display produces into steps of exactly `1 / rate`, and draws between them. */
export class Loop extends Frames {
  #running = false;

  constructor(options: LoopOptions) {
    checkOptions(options);
    super(options, policyFor("Loop", options, options), exactRate("Loop", options.rate));
    const { timeScale = 1 } = options;
    this.clock.setScale("Loop", timeScale, 0);
  }

  /** The next step's number; the number of the current state. */
  get tick(): number {
    return this.nextTick;
  }
  /** Steps a second, as a fraction in lowest terms. */
  get rate(): readonly [numerator: number, denominator: number] {
    return this.fraction;
  }
  /** Seconds that a step simulates: `1 / rate`. */
  get dt(): number {
    return this.timeOf(1);
  }
  /** Simulated seconds: `tick / rate`. */
  get time(): number {
    return this.plan?.time ?? this.timeOf(this.nextTick);
  }
  /** Where the last frame's picture lies between the previous state (0) and the current one (1). */
  get alpha(): number {
    return this.frameInfo.alpha;
  }
  /** Simulated seconds that the last frame showed. */
  get shownTime(): number {
    return this.frameInfo.shownTime;
  }
  /** Seconds given and not yet consumed: less than one step. */
  get overstep(): number {
    return this.books.overstep.seconds;
  }
  /** Seconds owed under `{ catchUp }`. */
  get debt(): number {
    return this.books.debt.seconds;
  }
  get stats(): LoopStats {
    return this.figures;
  }
  get running(): boolean {
    return this.#running;
  }
  get paused(): boolean {
    return this.clock.paused;
  }
  /** Virtual seconds a real second, as set or as a ramp has it now; pausing does not change it. */
  get timeScale(): number {
    return this.clock.scale;
  }
  /** Takes effect with the next frame. */
  set timeScale(scale: number) {
    this.special = true;
    this.clock.setScale("Loop", scale, 0);
  }
  /** Virtual seconds that a real second gives now: the time scale, or 0 while paused. */
  get speed(): number {
    return this.paused ? 0 : this.timeScale;
  }

  /** Leads the time scale evenly to another over so many real seconds: into bullet time, and back. */
  rampTimeScale(scale: number, seconds: number): void {
    this.special = true;
    this.clock.setScale("Loop.rampTimeScale", scale, seconds);
  }

  /** Changes settings. A policy may change at any time; the rate before the first frame or after `reset`. */
  configure(settings: Partial<LoopSettings>): void {
    const call = "Loop.configure";
    requireType(`${call}: settings`, settings, "object", "{ maxSteps: 8 }");
    const { rate: given = this.fraction } = settings;
    const rate = exactRate(call, given);
    const isNew = `${rate}` !== `${this.fraction}`;
    if (isNew && (this.phase !== IDLE || this.stats.frames > 0))
      refuse(
        `${call}: rate`,
        "left alone once a frame was run, as time is tick / rate",
        given,
        "reset() first",
      );
    this.policy = policyFor(call, this.options, settings, this.policy);
    this.special = true;
    if (isNew) this.restart(rate);
    else if (this.phase === IDLE) this.applyPolicy();
  }

  /** Runs `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
  every(rate: Rate, run: (info: StepInfo) => void): Beat {
    this.crowded = true;
    // Declared in a step, it waits for the next.
    const after = this.phase === IN_STEP ? this.nextTick : this.nextTick - 1;
    return this.attached.every(rate, run, this.frameInfo, this.fraction, after);
  }

  /** Listens to an event; returns the function that ends it. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    this.crowded = true;
    return this.attached.on(event, listener);
  }

  /** Adds an object whose `step` and `render` are to be called; returns the function that removes it. */
  add(system: System): () => void {
    this.crowded = true;
    return this.attached.add(system);
  }

  /** Lets the driver run the loop. Its first frame only sets the clock: loading is not game time. */
  start(): void {
    const { driver } = this.options;
    if (!driver) return refuse("Loop.start: driver", "given", driver, "new Loop({ driver }) or advance()");
    if (this.#running) return;
    this.#running = true;
    this.timestamp = NaN;
    try {
      driver.start(this.#onTimestamp);
      if (this.#running) this.attached.events.start.call();
    } catch (error) {
      this.#running = false;
      driver.stop();
      throw error;
    }
  }

  /** Ends it. Inside a callback, the present step is finished and nothing more is called. */
  stop(): void {
    this.interrupted = this.halted = this.crowded = this.special = true;
    if (!this.#running) return;
    this.#running = false;
    this.options.driver!.stop();
    this.attached.events.stop.call();
  }

  /** Stands still: frames go on, steps do not, and paused time never existed. */
  pause(): void {
    if (this.paused) return;
    this.clock.paused = this.interrupted = this.crowded = this.special = true;
    this.attached.events.pause.call();
  }

  resume(): void {
    if (!this.paused) return;
    this.clock.paused = false;
    this.attached.events.resume.call();
  }

  /** Back to tick 0: forgets what has happened, keeps what was set. Inside a callback, once that ends. */
  reset(): void {
    this.resetAsked = this.interrupted = this.crowded = this.special = true;
    if (this.phase === IDLE) this.resetNow();
  }

  /** The driver's time, in milliseconds, at which shown time reaches `tick / rate` at the present speed. */
  timestampOf(tick: number): number {
    requireWhole("Loop.timestampOf: tick", tick, 0, this.nextTick);
    const info = this.frameInfo;
    // Before the first step of the accumulator, state 0 is shown already.
    const isShown = this.plan || info.tick + tick === 0;
    let ahead = isShown ? this.timeOf(tick) - info.shownTime : this.timeOf(tick - info.tick + 1 - info.alpha);
    let real = this.tally.real(false) / SECOND;
    if (this.isStepping) {
      // The clocks have this frame's time already, the picture not yet.
      ahead -= info.delta + this.books.repaid.seconds;
      real += info.realDelta;
    }
    const { driver } = this.options;
    const now = !driver ? real * 1e3 : Number.isNaN(this.timestamp) ? driver.now() : this.timestamp;
    return now + this.clock.realSecondsFor(ahead) * 1e3;
  }

  readonly #onTimestamp = (timestamp: number): void => {
    if (!this.#running) return;
    this.refuseNested("Driver: frame");
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    const elapsed = timestamp - this.timestamp;
    // A clock that steps back a little is waited for, so that no time is invented; one that leaps is followed.
    if (!(elapsed <= 0 && elapsed >= this.policy.maxFrameNs / -1e6)) this.timestamp = timestamp;
    if (elapsed > 0) this.advance(Math.min(elapsed / 1e3, LONGEST_ELAPSED));
    else this.frameOf(elapsed);
  };
}

/** A policy that a loop of such options can follow, or an error. */
function policyFor(call: string, options: LoopOptions, settings: PolicyOptions, before?: Policy): Policy {
  const policy = policyOf(call, settings, before);
  const { now, driver, stepping } = options;
  if (!now && !driver && policy.timed)
    refuse(`${call}: now`, "a clock, for stepBudget and costs", now, "() => performance.now()");
  if (stepping && policy.catchUpNs)
    refuse(`${call}: overload`, '"drop" with stepping', settings.overload, '"drop"');
  return policy;
}
