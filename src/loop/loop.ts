import { defaultDriver, type Driver, type DriverNotice, type OnFrame } from "../drivers/index.js";
import {
  exactRate,
  refuse,
  requireFunction,
  requireNumber,
  requireType,
  requireWhole,
  SECOND,
  type DisplayClock,
  type ExactRate,
  type Ramp,
  type Rate,
} from "../time/index.js";
import { PhasedBeat, type Beat } from "./beats.js";
import type { LoopEvents } from "./events.js";
import { capOf } from "./frame-cap.js";
import { Frames } from "./frames.js";
import type { DisplayInfo, StepInfo } from "./info.js";
import {
  checkDriver,
  checkOptions,
  checkView,
  type LoopOptions,
  type LoopSettings,
  type System,
  type ViewOptions,
} from "./options.js";
import { IDLE, IN_STEP, LONGEST_ELAPSED } from "./phases.js";
import { policyOf } from "./policy.js";
import type { LoopStats } from "./stats.js";

/** The rate of most displays: until that of this one is known, and where it has none. */
const LIKELY_RATE = 60;
/** Frames after which a display has no rate, and how many must be like one another to be it. */
const LONGEST_WAIT = 300;
const SURE = 32;

/** Which loop a driver serves while it runs. */
const owners = new WeakMap<Driver, Loop>();
const isForeign = (driver: Driver, loop: Loop) => (owners.get(driver) ?? loop) !== loop;

/** Turns the time that a display produces into steps of exactly `1 / rate`, and draws between them. */
export class Loop extends Frames {
  /** The pacing that was asked for, if any. */
  #pacing: ViewOptions["pacing"];
  /** Frames that are still waited for, so that the display's rate may be known; 0 if it is not asked for. */
  #awaited: number;
  /** What the driver calls, while the loop runs. */
  #frame: OnFrame | undefined;
  #notice: DriverNotice | undefined;

  constructor(options: LoopOptions) {
    const rate = exactRate("Loop: rate", options?.rate === "display" ? LIKELY_RATE : options?.rate);
    checkOptions(options);
    const { timeScale = 1, frameCap = Infinity } = options;
    super(options, policyOf("Loop", options, options.stepping), rate);
    this.timeScale = timeScale;
    checkView("Loop", options);
    this.cap = capOf("Loop", frameCap);
    this.latest = options.present === "latest";
    this.#pacing = options.pacing;
    this.#awaited = options.rate === "display" ? LONGEST_WAIT : 0;
    this.#pace();
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
  get present(): "interpolate" | "latest" {
    return this.latest ? "latest" : "interpolate";
  }
  /** What is known of the display, where frames are paced as those of one. */
  get display(): DisplayInfo | undefined {
    return this.displayClock;
  }
  /** Seconds owed under `{ catchUp }`. */
  get debt(): number {
    return this.books.debt.seconds;
  }
  get stats(): LoopStats {
    return this.figures;
  }
  /** What the driver has told last since it was started, such as that the page is hidden. */
  get notice(): DriverNotice | undefined {
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
    this.special = true;
    this.clock.setScale("Loop: timeScale", scale);
  }
  /** Virtual seconds that a real second gives now: the time scale, or 0 while paused. */
  get speed(): number {
    return this.paused ? 0 : this.timeScale;
  }

  /**
   * Changes settings. A policy may change at any time, and so may the driver: the new one's first frame
   * only sets the clock. The rate changes before the first frame or after `reset`.
   */
  configure(settings: Partial<LoopSettings>): void {
    const call = "Loop.configure";
    requireType(`${call}: settings`, settings, "object", "{ maxSteps: 8 }");
    const { driver = this.driver, rate: given = this.fraction, frameCap } = settings;
    const { pacing = this.#pacing, present = this.present } = settings;
    checkDriver(call, driver);
    checkView(call, settings);
    if (this.#frame) this.#requireFree(call, driver);
    const rate = exactRate(`${call}: rate`, given);
    const isNew = `${rate}` !== `${this.fraction}`;
    const isViewNew = pacing !== this.#pacing || present !== this.present;
    if ((isNew || isViewNew) && (this.phase !== IDLE || this.stats.frames > 0))
      refuse(
        `${call}: ${isNew ? "rate" : "pacing and present"}`,
        "left alone once a frame was run",
        isNew ? given : [pacing, present],
        "reset() first",
      );
    const cap = frameCap === undefined ? this.cap : capOf(call, frameCap);
    this.policy = policyOf(call, settings, this.options.stepping, this.policy);
    this.special = this.crowded = true;
    this.cap = cap;
    this.#pacing = pacing;
    this.latest = present === "latest";
    const old = this.driver;
    this.driver = driver;
    if (isNew) this.#awaited = 0;
    if (isNew || isViewNew) {
      this.#pace();
      this.restart(rate);
    } else if (this.phase === IDLE) this.applyPolicy();
    // A driver may keep to the loop's rate.
    if (this.#frame && (driver !== old || isNew)) this.#listenAfresh(old!);
  }

  /** Paces frames as was asked for, or else as the driver has them. */
  #pace(): void {
    this.paced = (this.#pacing ?? this.driver?.pacing) === "display";
    if (this.#awaited && this.driver && !this.paced)
      refuse("Loop: pacing", '"display", for its rate', "raw", '{ rate: 60 } or pacing: "display"');
  }

  /** Runs `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
  every(rate: Rate, run: (info: StepInfo) => void): Beat {
    this.crowded = true;
    requireFunction("Loop.every: run", run);
    const beat = new PhasedBeat(exactRate("Loop.every: rate", rate), run, this.frameInfo);
    // Declared in a step, it waits for the next.
    beat.join(this.fraction, this.phase === IN_STEP ? this.nextTick : this.nextTick - 1);
    return this.attached.every(beat);
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
    if (this.#frame) return;
    this.#requireFree("Loop.start", this.driver);
    this.#orStop(() => {
      this.#listen();
      if (this.#frame) this.attached.events.start.call();
    });
  }

  #requireFree(call: string, driver: Driver | undefined): void {
    if (driver && isForeign(driver, this))
      refuse(`${call}: driver`, "that of one loop only", "one in use", "a driver for each");
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
    const { paced } = this;
    this.#pace();
    // Once counted in one way, it goes on so until it is reset.
    if (this.stats.frames > 0) this.paced = paced;
    else if (paced !== this.paced) this.restart(this.fraction);
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
    this.interrupted = this.halted = this.crowded = this.special = true;
    if (!this.#frame) return;
    this.#frame = undefined;
    try {
      this.#leave(this.driver!);
    } finally {
      this.attached.events.stop.call();
    }
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

  protected override resetNow(): void {
    this.#pace();
    super.resetNow();
    if (this.#frame) this.#listenAfresh(this.driver!);
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
    const { driver } = this;
    const now = !driver ? real * 1e3 : Number.isNaN(this.timestamp) ? driver.now() : this.timestamp;
    return now + this.clock.realSecondsFor(ahead) * 1e3;
  }

  #onFrame(timestamp: number, afresh: boolean | undefined): void {
    this.refuseNested("Driver: frame");
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    let elapsed = afresh ? NaN : timestamp - this.timestamp;
    // A clock that steps back a little is waited for, so that no time is invented; one that leaps is followed.
    if (!(elapsed <= 0 && elapsed >= this.policy.maxFrameNs / -1e6)) this.timestamp = timestamp;
    const { displayClock: display } = this;
    if (display && !(elapsed <= 0)) {
      // Nobody knows where in a refresh the first one is.
      display.pass(afresh || Number.isNaN(elapsed) ? Infinity : elapsed);
      if (elapsed > 0) elapsed = display.elapsed;
      this.refreshes = display.refreshes;
      if (this.#awaited) {
        elapsed = NaN;
        this.#awaitRate(display);
      }
    }
    if (elapsed > 0) this.advance(Math.min(elapsed / 1e3, LONGEST_ELAPSED));
    else this.frameOf(elapsed);
  }

  /** Takes the display's rate, once it is known. */
  #awaitRate(display: DisplayClock): void {
    this.#awaited--;
    const isKnown = display.locked && display.fitted > SURE;
    if (this.#awaited && !isKnown) return;
    this.#awaited = 0;
    const { timestamp } = this;
    this.restart(exactRate("Loop: rate", isKnown ? Math.round(1e6 / display.period) / 1e3 : LIKELY_RATE));
    this.timestamp = timestamp;
    this.attached.events.rate.call(this.fraction);
  }
}
