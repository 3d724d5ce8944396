import { defaultDriver, type Driver, type DriverNotice, type OnFrame } from "../drivers/index.js";
import { badValue, requireFunction, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { exactRate, SECOND, type DisplayClock, type ExactRate, type Ramp, type Rate } from "../time/index.js";
import { PhasedBeat, type Beat } from "./beats.js";
import type { LoopEvents } from "./events.js";
import { capPeriod, FrameCap } from "./frame-cap.js";
import { Frames } from "./frames.js";
import type { DisplayInfo, StepInfo } from "./info.js";
import {
  checkDriver,
  checkOptions,
  checkPresentation,
  type LoopOptions,
  type LoopSettings,
  type System,
} from "./options.js";
import { IN_STEP, LONGEST_ELAPSED, SPECIAL } from "./phases.js";
import { policyOf } from "./policy.js";
import type { LoopStats } from "./stats.js";

/** The rate of most displays: until that of this one is known, and where it has none. */
const LIKELY_RATE = 60;
/** Milliseconds for which a display's rate is measured, and after which it has none. */
const LEAST_WAIT = 1000;
const LONGEST_WAIT = 5000;
/** Few displays are slower than this many hertz; more often a page starts slowly. So slow rates are measured for longer. */
const SLOW_RATE = 48;
const SLOW_WAIT = 2500;

/** Which loop a driver serves while it runs. */
const owners = new WeakMap<Driver, Loop>();
const isForeign = (driver: Driver, loop: Loop) => (owners.get(driver) ?? loop) !== loop;

/** Turns the time that a display produces into steps of exactly `1 / rate`, and draws between them. */
export class Loop extends Frames {
  #frameCap: Rate | "half" = Infinity;
  /** The pacing that was asked for, if any. */
  #pacing: LoopSettings["pacing"];
  /** Milliseconds for which the display's rate was waited for. */
  #waited = 0;
  /** What the driver calls, while the loop runs. */
  #frame: OnFrame | undefined;
  #notice: Loop["notice"];

  constructor(options: LoopOptions) {
    const rate = exactRate("Loop: rate", options?.rate === "display" ? LIKELY_RATE : options?.rate);
    checkOptions(options);
    const { timeScale = 1, frameCap = Infinity } = options;
    super(options, policyOf("Loop", options, options.stepping));
    this.timeScale = timeScale;
    checkPresentation("Loop", options);
    const { pacing, driver } = options;
    this.#setCap(capPeriod("Loop", frameCap), frameCap);
    this.shows = options.present ?? "interpolate";
    this.#pacing = pacing;
    this.waiting = options.rate === "display";
    this.paced = this.#isPaced("Loop", pacing, driver);
    this.restart(rate);
  }

  /** The next step's number; the number of the current state. */
  get tick(): number {
    return this.nextTick;
  }
  /** Steps a second, as a fraction in lowest terms. */
  get rate(): ExactRate {
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
  get pacing(): "display" | "raw" {
    return this.paced ? "display" : "raw";
  }
  get present(): "interpolate" | "latest" | "speculate" {
    return this.shows;
  }
  /** The current cap: frames per second, "half" for every second frame, or Infinity for none. */
  get frameCap(): Rate | "half" {
    return this.#frameCap;
  }
  /** What is known of the display, where frames are paced as those of one. */
  get display(): DisplayInfo | undefined {
    return this.displayClock;
  }
  /** Seconds owed under `{ catchUp }`. */
  get debt(): number {
    return this.ledger.debt.seconds;
  }
  get stats(): LoopStats {
    return this.figures;
  }
  /** What the driver has told last since it was started, such as that the page is hidden; or that it was stopped. */
  get notice(): DriverNotice | { readonly kind: "stopped"; readonly reason: string } | undefined {
    return this.#notice;
  }
  get running(): boolean {
    return !!this.#frame;
  }
  get paused(): boolean {
    return this.clock.paused;
  }
  /** Virtual seconds a real second, as set or as a ramp has it now; pausing does not change it. */
  get timeScale(): number {
    return this.clock.scale;
  }
  /** Takes effect with the next frame: at once, or along a `ramp`. */
  set timeScale(scale: number | Ramp) {
    this.phase |= SPECIAL;
    this.clock.setScale("Loop: timeScale", scale);
  }
  /** Virtual seconds that a real second gives now: the time scale, or 0 while paused. */
  get speed(): number {
    return this.paused ? 0 : this.timeScale;
  }

  /**
   * Changes settings. A policy, the cap and the driver may change at any time: a new driver's first frame only
   * sets the clock. The rate, the pacing and what is presented change before the first frame or after `reset`.
   */
  configure(settings: Partial<LoopSettings>): void {
    const call = "Loop.configure";
    requireType(`${call}: settings`, settings, "object", "{ maxSteps: 8 }");
    const { driver = this.driver, rate: given = this.fraction, frameCap } = settings;
    const { pacing = this.#pacing, present = this.present } = settings;
    checkDriver(call, driver);
    checkPresentation(call, settings);
    if (this.#frame) this.#requireFree(call, driver);
    const rate = exactRate(`${call}: rate`, given);
    const changed = {
      rate: settings.rate !== undefined && (this.waiting || `${rate}` !== `${this.fraction}`),
      present: present !== this.present,
      pacing: settings.pacing !== undefined && pacing !== this.pacing,
    };
    const hasRun = !this.isIdle || (this.stats.frames > 0 && !this.waiting);
    for (const name of ["rate", "present", "pacing"] as const)
      if (hasRun && changed[name])
        badValue(`${call}: ${name}`, "left alone once a frame was run", settings[name], "reset() first");
    // Once counted in one way, it goes on so until it is reset.
    const paced = hasRun ? this.paced : this.#isPaced(call, pacing, driver, changed.rate);
    const period = frameCap === undefined ? undefined : capPeriod(call, frameCap);
    this.policy = policyOf(call, settings, this.options.stepping, this.policy);
    this.phase |= SPECIAL;
    if (period !== undefined) this.#setCap(period, frameCap!);
    const old = this.driver;
    this.driver = driver;
    this.#pacing = pacing;
    this.shows = present;
    if (changed.rate || changed.present || paced !== this.paced) {
      this.paced = paced;
      if (changed.rate) this.waiting = false;
      this.restart(rate);
    } else if (this.isIdle) this.applyPolicy();
    // A driver may keep to the loop's rate.
    if (this.#frame && (driver !== old || changed.rate)) this.#listenAfresh(old!);
  }

  /** A cap that was ever set stays, as it has what happened in frames that were left out. */
  #setCap(period: number, frameCap: Rate | "half"): void {
    this.#frameCap = frameCap;
    if (this.cap) this.cap.period = period;
    else if (period !== 0) this.cap = new FrameCap(period);
  }

  /** Whether frames are paced as a display's: as was asked for, or else as the driver has them. */
  #isPaced(
    call: string,
    pacing: LoopSettings["pacing"],
    driver: Driver | undefined,
    hasRate = false,
  ): boolean {
    const isPaced = (pacing ?? driver?.pacing) === "display";
    if (this.waiting && !hasRate && (pacing ?? driver) && !isPaced)
      badValue(`${call}: pacing`, '"display", for its rate', "raw", '{ rate: 60 } or pacing: "display"');
    return isPaced;
  }

  /** Runs `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
  every(rate: Rate, run: (info: StepInfo) => void): Beat {
    this.phase |= SPECIAL;
    requireFunction("Loop.every: run", run);
    const beat = new PhasedBeat(exactRate("Loop.every: rate", rate), run, this.frameInfo);
    // Declared in a step, it waits for the next.
    beat.join(this.fraction, this.phase % SPECIAL === IN_STEP ? this.nextTick : this.nextTick - 1);
    return this.attached.every(beat);
  }

  /** Listens to an event; returns the function that ends it. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    this.phase |= SPECIAL;
    return this.attached.on(event, listener);
  }

  /** Adds an object whose `step` and `render` are to be called; returns the function that removes it. */
  add(system: System): () => void {
    this.phase |= SPECIAL;
    return this.attached.add(system);
  }

  /** Lets the driver run the loop. Its first frame only sets the clock: loading is not game time. */
  start(): void {
    if (this.#frame) return;
    this.#requireFree("Loop.start", this.driver);
    this.#orStop(() => {
      this.#listen();
      if (this.#frame) this.attached.events.start.call();
    });
  }

  #requireFree(call: string, driver: Driver | undefined): void {
    if (driver && isForeign(driver, this))
      badValue(`${call}: driver`, "that of one loop only", "one in use", "a driver for each");
  }

  /** Lets the driver begin again, after another one or itself: its frames keep a phase to the steps. */
  #listenAfresh(old: Driver): void {
    this.#orStop(() => {
      this.#leave(old);
      this.#listen();
    });
  }

  /** Runs something that may throw: the loop is stopped then. */
  #orStop(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  /** Takes frames from the driver, from one that only sets the clock on. */
  #listen(): void {
    const driver = (this.driver ??= defaultDriver());
    const paced = this.#isPaced("Loop.start", this.#pacing, driver);
    if (paced !== this.paced && this.stats.frames === 0) {
      this.paced = paced;
      this.restart(this.fraction);
    }
    owners.set(driver, this);
    const frame: OnFrame = (timestamp, afresh) => {
      // Not from a driver that was stopped, or replaced.
      if (this.#frame === frame) this.#onFrame(timestamp, afresh);
    };
    this.#frame = frame;
    this.#notice = undefined;
    this.timestamp = NaN;
    driver.start(frame, {
      rate: this.fraction,
      tell: (notice) => {
        if (this.#frame !== frame) return;
        this.#notice = notice;
        this.#orStop(() => this.attached.events.driver.call(notice));
      },
    });
    // Stopped or replaced before it had started: its frames would go nowhere, and it would not end.
    if (!this.#frame || this.driver !== driver) this.#leave(driver);
  }

  #leave(driver: Driver): void {
    if (isForeign(driver, this)) return;
    owners.delete(driver);
    driver.stop();
  }

  /** Ends it. Inside a callback, the present step is finished and nothing more is called. */
  stop(): void {
    this.interrupted = this.halted = true;
    this.phase |= SPECIAL;
    if (!this.#frame) return;
    this.#frame = undefined;
    this.#notice = { kind: "stopped", reason: "" };
    try {
      this.#leave(this.driver!);
    } finally {
      this.attached.events.stop.call();
    }
  }

  /** Stands still: frames go on, steps do not, and paused time never existed. */
  pause(): void {
    if (this.paused) return;
    this.clock.paused = this.interrupted = true;
    this.phase |= SPECIAL;
    this.attached.events.pause.call();
  }

  resume(): void {
    if (!this.paused) return;
    this.clock.paused = false;
    this.attached.events.resume.call();
  }

  /** Back to tick 0: forgets what has happened, keeps what was set. Inside a callback, once that ends. */
  reset(): void {
    this.resetAsked = this.interrupted = true;
    this.phase |= SPECIAL;
    if (this.isIdle) this.resetNow();
  }

  protected override resetNow(): void {
    this.paced = this.#isPaced("Loop.reset", this.#pacing, this.driver);
    super.resetNow();
    if (this.#frame) this.#listenAfresh(this.driver!);
  }

  /** The driver's time, in milliseconds, at which shown time reaches `tick / rate` at the present speed. */
  timestampOf(tick: number): number {
    requireWhole("Loop.timestampOf: tick", tick, 0, this.nextTick);
    const info = this.frameInfo;
    // Before the first step of the accumulator, state 0 is shown already.
    const isShown = this.plan || info.tick + tick === 0;
    // Unless it is blended with the one before, the newest state is shown as soon as it is stepped.
    const shown = info.tick - 1 + (this.shows === "interpolate" ? info.alpha : this.blend + 1);
    let ahead = isShown ? this.timeOf(tick) - info.shownTime : this.timeOf(tick - shown);
    let real = this.tally.real(false) / SECOND;
    if (this.isStepping) {
      // The clocks have this frame's time already, the picture not yet.
      ahead -= info.delta + this.ledger.repaid.seconds;
      real += info.realDelta;
    }
    return this.#frameEnd(real) + this.clock.realSecondsFor(ahead) * 1e3;
  }

  /**
   * Steps that the present frame still runs, including the present one; 0 outside of steps. With a `stepBudget`, as many
   * as are likely to fit.
   */
  get due(): number {
    return this.isStepping ? this.dueSteps : 0;
  }
  /** When the time that the present frame simulates began, and when it ended: milliseconds of the driver's clock. */
  get frameStart(): number {
    return this.frameEnd - this.frameInfo.realDelta * 1e3;
  }
  get frameEnd(): number {
    return this.#frameEnd(this.tally.real(false) / SECOND + (this.isStepping ? this.frameInfo.realDelta : 0));
  }

  /** The time of the last frame, which came after so many real seconds. */
  #frameEnd(real: number): number {
    const { driver } = this;
    return !driver ? real * 1e3 : Number.isNaN(this.timestamp) ? driver.now() : this.timestamp;
  }

  #onFrame(timestamp: number, afresh: boolean | undefined): void {
    this.refuseNested("Driver: frame");
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    let elapsed = afresh ? NaN : timestamp - this.timestamp;
    // A clock that steps back a little is waited for, so that no time is invented; one that leaps is followed.
    if (!(elapsed <= 0 && elapsed >= this.policy.maxFrameNs / -1e6)) this.timestamp = timestamp;
    const { displayClock: display } = this;
    if (display && !(elapsed < 0)) {
      // The time before the first frame is unknown.
      display.pass(Number.isNaN(elapsed) ? Infinity : elapsed);
      if (elapsed >= 0) elapsed = display.elapsed;
      this.refreshes = display.refreshes;
      this.covered = display.covered;
      if (this.waiting && elapsed > 0 && this.#findRate(display)) {
        // Those who were told may have stopped it.
        if (!this.#frame) return;
        elapsed = NaN;
      }
    }
    if (elapsed > 0 && !this.waiting) this.advance(Math.min(elapsed / 1e3, LONGEST_ELAPSED));
    else this.frameOf(Math.min(elapsed / 1e3, LONGEST_ELAPSED));
  }

  /** Takes the display's rate, once it is known; says whether it is. */
  #findRate(display: DisplayClock): boolean {
    const { period, sure } = display;
    this.#waited += display.elapsed;
    const wait = period > 1e3 / SLOW_RATE ? SLOW_WAIT : LEAST_WAIT;
    if (!(sure && this.#waited > wait) && this.#waited < LONGEST_WAIT) return false;
    this.waiting = false;
    const { timestamp } = this;
    this.restart(exactRate("Loop: rate", sure ? Math.round(1e6 / period) / 1e3 : LIKELY_RATE));
    this.timestamp = timestamp;
    this.#orStop(() => this.attached.events.rate.call(this.fraction));
    return true;
  }
}
