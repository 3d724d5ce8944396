import { defaultDriver, systemNow, type Driver } from "../drivers/index.js";
import { misuse } from "../errors/index.js";
import { DisplayClock, exactRate, TimeScale, type ExactRate, type Rate } from "../time/index.js";
import { Accumulator } from "./accumulator.js";
import { Attachments } from "./attachments.js";
import {
  checkOptions,
  checkSettings,
  isPaced,
  requireRateChange,
  requireUnchanged,
} from "./check-options.js";
import { displayRateOf, type DisplayRate } from "./display-rate.js";
import { DisplayView } from "./display-view.js";
import { DriverLink } from "./driver-link.js";
import { capPeriod, FrameCap } from "./frame-cap.js";
import { FrameRunner } from "./frame.js";
import type { DisplayInfo } from "./info.js";
import { Monitors } from "./monitors.js";
import { MotionMeter } from "./motion-meter.js";
import type { Callbacks, LoopOptions, LoopSettings } from "./options.js";
import { MAX_ELAPSED } from "./phase.js";
import { policyOf } from "./policy.js";
import { Presentation } from "./presentation.js";
import { LoopStats } from "./stats.js";
import { Tally } from "./tally.js";

/** The parts of a loop, and its lifecycle: what it is made of, settings, start, stop and reset. */
export class Lifecycle {
  readonly attached = new Attachments(() => (this.frames.plain.limit = 0));
  readonly clock = new TimeScale();
  readonly presentation = new Presentation();
  readonly monitors = new Monitors();
  readonly frames: FrameRunner;
  readonly link: DriverLink;
  stats!: LoopStats;
  display: DisplayInfo | undefined = undefined;
  frameCap: Rate | "half" = Infinity;
  isPaced: boolean;
  private readonly options: LoopOptions;
  private readonly now: () => number;
  private readonly displayRate: DisplayRate | undefined;
  /** Whether the rate was measured on the display. */
  private isRateOfDisplay = false;
  /** The rate that was set last. Inside a callback, it is not that of the loop yet. */
  private nextRate!: ExactRate;
  /** The pacing that was set, if any. */
  private pacing: LoopSettings["pacing"];

  constructor(options: LoopOptions) {
    checkOptions(options);
    const { driver, pacing, present = "interpolate", now, timeScale = 1, frameCap = Infinity } = options;
    this.displayRate = displayRateOf(options.rate);
    const isWaiting = !!this.displayRate;
    const rate = this.displayRate ? this.displayRate.likely : exactRate("Loop: rate", options.rate as Rate);
    const policy = policyOf("Loop", options, options.stepping);
    const { attached, clock, presentation } = this;
    this.options = options;
    this.link = new DriverLink(driver, {
      onFrame: (display) => this.onFrame(display),
      onNotice: (notice) => this.orStop(() => attached.events.driver.call(notice)),
      requireIdle: (call) => this.requireIdle(call),
    });
    this.link.maxStepBack = policy.maxFrameNs / 1e6;
    this.now = now ?? (() => (this.link.driver ? this.link.driver.now() : systemNow()));
    this.frames = new FrameRunner(callbacksOf(options), attached, presentation, clock, policy, {
      stop: () => this.stopAfterError(),
      reset: () => this.resetNow(),
      changeRate: () => this.changeRate(),
    });
    clock.setScale("Loop: timeScale", timeScale);
    this.setCap(capPeriod("Loop", frameCap), frameCap);
    presentation.present = present;
    this.pacing = pacing;
    this.frames.isWaiting = isWaiting;
    this.isPaced = isPaced("Loop", pacing, driver, isWaiting);
    this.restart(rate);
  }

  /** Changes settings: see `Loop.configure`. */
  configure(settings: Partial<LoopSettings>): void {
    const call = "Loop.configure";
    const { frames, link, presentation } = this;
    const before = this.nextRate;
    checkSettings(call, settings);
    const old = link.driver;
    const { driver = old, frameCap, pacing = this.pacing, present = presentation.present } = settings;
    if (link.running) link.requireFree(call, driver);
    const rate = exactRate(`${call}: rate`, settings.rate === undefined ? before : settings.rate);
    const isRateChanged = settings.rate !== undefined && (frames.isWaiting || `${rate}` !== `${before}`);
    const changed = {
      present: present !== presentation.present,
      pacing: settings.pacing !== undefined && (pacing === "display") !== this.isPaced,
    };
    const hasRun = !frames.steps.isIdle || (this.stats.frames > 0 && !frames.isWaiting);
    if (hasRun) requireUnchanged(call, changed);
    if (hasRun && isRateChanged) requireRateChange(call, !!this.options.stepping, present);
    const paced = hasRun ? this.isPaced : isPaced(call, pacing, driver, frames.isWaiting && !isRateChanged);
    const period = frameCap === undefined ? undefined : capPeriod(call, frameCap);
    const policy = policyOf(call, settings, this.options.stepping, frames.nextPolicy);
    link.maxStepBack = policy.maxFrameNs / 1e6;
    if (period !== undefined) this.setCap(period, frameCap!);
    link.driver = driver;
    this.pacing = pacing;
    presentation.present = present;
    frames.setPolicy(policy);
    if (hasRun && isRateChanged) {
      this.nextRate = rate;
      frames.isRateRequested = true;
      if (driver !== old && link.running) this.restartDriver(old!);
      if (frames.steps.isIdle) this.changeRate();
      return;
    }
    if (isRateChanged || changed.present || paced !== this.isPaced) {
      this.isPaced = paced;
      if (isRateChanged) frames.isWaiting = this.isRateOfDisplay = false;
      this.restart(rate);
    }
    // A driver may follow the loop's rate.
    if (link.running && (driver !== old || isRateChanged)) this.restartDriver(old!);
  }

  /** Changes the rate after frames have run, and between two of them. */
  private changeRate(): void {
    const { frames, link, nextRate } = this;
    frames.isRateRequested = false;
    if (`${nextRate}` === `${frames.accumulator.rate}`) return;
    this.isRateOfDisplay = false;
    frames.changeRate(nextRate);
    if (link.running) {
      const { timestamp } = link;
      // A driver may follow the loop's rate. Time goes on meanwhile.
      this.restartDriver(link.driver!);
      if (Number.isNaN(link.timestamp)) link.timestamp = timestamp;
    }
    this.orStop(() => this.attached.events.rate.call(nextRate));
  }

  /** Starts the driver. */
  start(): void {
    const { link, attached } = this;
    if (link.running) return;
    link.requireFree("Loop.start", link.driver);
    this.orStop(() => {
      this.startDriver();
      if (link.running) attached.events.start.call();
    });
  }

  /** Stops the driver, and the current frame after the current step. */
  stop(): void {
    this.frames.isHalted = true;
    this.frames.interrupt();
    if (!this.link.running) return;
    try {
      this.link.stop();
    } finally {
      this.attached.events.stop.call();
    }
  }

  /** Returns to tick 0, once the current frame or step ends. */
  reset(): void {
    this.frames.isResetRequested = true;
    this.frames.interrupt();
    if (this.frames.steps.isIdle) this.frames.resetNow();
  }

  private resetNow(): void {
    const { link } = this;
    this.isPaced = isPaced("Loop.reset", this.pacing, link.driver, this.frames.isWaiting);
    if (this.frames.isRateRequested) this.isRateOfDisplay = this.frames.isRateRequested = false;
    this.restart(this.nextRate);
    this.attached.events.reset.call();
    if (this.link.running) this.restartDriver(link.driver!);
  }

  /** Returns to tick 0 and sets the rate. */
  private restart(rate: ExactRate): void {
    const { frames, link } = this;
    this.nextRate = rate;
    this.clock.reset();
    link.timestamp = NaN;
    if (!this.isPaced) link.display = this.display = undefined;
    else if (!link.display) {
      // A restart keeps what is known about the display.
      link.display = new DisplayClock();
      this.display = new DisplayView(link.display);
    }
    const plan = this.options.stepping?.plan(rate);
    const accumulator = new Accumulator(rate, this.clock, plan, this.isPaced, this.isRateOfDisplay);
    this.attached.restart(accumulator);
    const tally = new Tally(() => accumulator.progress(frames.info), this.now);
    const meter = this.isPaced ? new MotionMeter() : undefined;
    this.stats = new LoopStats(tally, accumulator, accumulator.ledger.lost, this.monitors);
    frames.restart({ accumulator, tally, meter });
  }

  /** Sets the frame cap. Once created it stays, as it knows what happened in the frames that it left out. */
  private setCap(period: number, cap: Rate | "half"): void {
    const { frames } = this;
    this.frameCap = cap;
    if (frames.cap) frames.cap.period = period;
    else if (period !== 0) frames.cap = new FrameCap(period);
  }

  private startDriver(): void {
    const { link, frames } = this;
    const driver = (link.driver ??= defaultDriver());
    const paced = isPaced("Loop.start", this.pacing, driver, frames.isWaiting);
    if (paced !== this.isPaced && this.stats.frames === 0) {
      this.isPaced = paced;
      this.restart(this.frames.accumulator.rate);
    }
    link.start(driver, frames.accumulator.rate);
  }

  /** Stops the old driver and starts the current one, even if it is the same: its frames keep a phase to the steps. */
  private restartDriver(old: Driver): void {
    this.orStop(() => {
      this.link.release(old);
      this.startDriver();
    });
  }

  /** Runs a frame of the driver. */
  private onFrame(display: DisplayClock | undefined): void {
    const { frames, link } = this;
    let seconds = Math.min(link.elapsed / 1e3, MAX_ELAPSED);
    if (frames.isWaiting && display && seconds > 0 && this.findRate(display)) {
      // A listener may have stopped the loop.
      if (!this.link.running) return;
      seconds = NaN;
    }
    frames.seconds = seconds;
    frames.run(display);
  }

  /** Adopts the display's rate once it is known. Returns whether it did. */
  private findRate(display: DisplayClock): boolean {
    const rate = this.displayRate?.find(display);
    if (!rate) return false;
    const { timestamp } = this.link;
    this.frames.isWaiting = false;
    this.isRateOfDisplay = display.sure;
    this.restart(rate);
    this.link.timestamp = timestamp;
    this.orStop(() => this.attached.events.rate.call(rate));
    return true;
  }

  /** Throws if the display's rate is not known yet. */
  requireRate(call: string): void {
    if (this.frames.isWaiting)
      misuse("not-ready", call, "the display's rate is not known yet", 'Wait for loop.on("rate", …)');
  }

  /** Throws inside a frame. */
  requireIdle(call: string): void {
    if (!this.frames.steps.isIdle)
      misuse(
        "reentrant",
        call,
        `cannot be called from a callback (tick ${this.frames.steps.tick})`,
        "Call it after the frame, for example with queueMicrotask",
      );
  }

  /** Runs a function, and stops the loop if it throws. */
  private orStop(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.stopAfterError();
      throw error;
    }
  }

  private stopAfterError(): void {
    try {
      this.stop();
    } catch {
      // Report the original error, not this one.
    }
  }
}

/** The options themselves if they have both callbacks, so that these are called as their methods. */
function callbacksOf(options: LoopOptions): Required<Callbacks> {
  if (options.step && options.render) return options as Required<Callbacks>;
  return { step: (info) => options.step?.(info), render: (info) => options.render?.(info) };
}
