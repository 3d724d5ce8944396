import type { Driver, DriverNotice } from "../drivers/index.js";
import { requireArguments, requireFunction, requireNumber, requireWhole } from "../errors/index.js";
import { exactRate, MAX_SETTING, SECOND, type ExactRate, type Ramp, type Rate } from "../time/index.js";
import { PhasedBeat, type Beat } from "./beats.js";
import type { LoopEvents } from "./events.js";
import { endOfFrame, timestampOf } from "./frame-times.js";
import type { FrameRunner } from "./frame.js";
import type { DisplayInfo, StepInfo } from "./info.js";
import { Lifecycle } from "./lifecycle.js";
import type { MonitorValue } from "./monitors.js";
import type { LoopOptions, LoopSettings, System } from "./options.js";
import { IN_STEP, MAX_ELAPSED } from "./phase.js";
import type { Present } from "./presentation.js";
import type { LoopStats } from "./stats.js";

/** Runs steps of exactly `1 / rate` from the uneven time of a display, and draws between them. */
export class Loop {
  private readonly parts: Lifecycle;
  private readonly frames: FrameRunner;

  constructor(options: LoopOptions) {
    this.parts = new Lifecycle(options);
    this.frames = this.parts.frames;
  }

  /** Number of the next step, and of the current state. */
  get tick(): number {
    return this.frames.steps.tick;
  }
  /** Steps per second, as a fraction in lowest terms. */
  get rate(): ExactRate {
    return this.frames.accumulator.rate;
  }
  /** Seconds that a step simulates: `1 / rate`. */
  get dt(): number {
    return this.frames.accumulator.timeOf(1);
  }
  /** Simulated seconds: `tick / rate`, or counted from where the rate was last changed. */
  get time(): number {
    const { plan } = this.frames.accumulator;
    return plan ? plan.time : this.frames.accumulator.timeAt(this.tick);
  }
  /** Where the last frame's picture lies between the previous state (0) and the current one (1). */
  get alpha(): number {
    return this.frames.info.alpha;
  }
  /** Simulated seconds that the last frame showed. */
  get shownTime(): number {
    return this.frames.info.shownTime;
  }
  /** How frames are timed: see the option. */
  get pacing(): "display" | "raw" {
    return this.parts.isPaced ? "display" : "raw";
  }
  /** What frames show: see the option. */
  get present(): Present {
    return this.parts.presentation.present;
  }
  /** The current cap: frames per second, "half" for every second frame, or Infinity for none. */
  get frameCap(): Rate | "half" {
    return this.parts.frameCap;
  }
  /** What is known about the display; undefined unless `pacing` is "display". */
  get display(): DisplayInfo | undefined {
    return this.parts.display;
  }
  /** Seconds owed under `{ catchUp }`. */
  get debt(): number {
    return this.frames.accumulator.ledger.debt.seconds;
  }
  /** Seconds received but not yet simulated: less than one step. With display pacing, more than minus one step. */
  get overstep(): number {
    return this.frames.accumulator.overstep;
  }
  /**
   * Seconds by which display pacing shows the game ahead of the strict clock; negative if behind. At a rate in hertz, it is at
   * most half a step. `configure({ rate })` does not change it, so it can be several of the new steps; it then returns to half
   * a step, at up to 0.5 % of the speed of time. At a rate that was measured on the display, it has no limit: that rate may be
   * off by up to 0.1 %, and the lead grows by that part of the time.
   */
  get lead(): number {
    return this.frames.accumulator.lead;
  }
  /** Measurements of the loop. */
  get stats(): LoopStats {
    return this.parts.stats;
  }
  /** The driver's last notice since the start, such as that the page was hidden; or that the loop was stopped. */
  get notice(): DriverNotice | { readonly kind: "stopped"; readonly reason: string } | undefined {
    return this.parts.link.notice;
  }
  /** The driver: the one that was set, or the default one once the loop was started. */
  get driver(): Driver | undefined {
    return this.parts.link.driver;
  }
  /** Whether a driver runs the loop. */
  get running(): boolean {
    return this.parts.link.running;
  }
  /** Whether the loop is paused. */
  get paused(): boolean {
    return this.parts.clock.paused;
  }
  /** Virtual seconds per real second, as set or as a ramp has it now; pausing does not change it. */
  get timeScale(): number {
    return this.parts.clock.scale;
  }
  /** Takes effect with the next frame: at once, along a `ramp`, or for some time with `slowMotion`. For a short stop, see `hitStop`. */
  set timeScale(scale: number | Ramp) {
    this.parts.clock.setScale("Loop: timeScale", scale);
    this.frames.plain.limit = 0;
  }
  /** A factor from 0.5 to 2 on top of the time scale. `drive` sets it to the pace that its session asks for. Default 1. */
  get pace(): number {
    return this.parts.clock.pace;
  }
  set pace(pace: number) {
    this.parts.clock.setPace("Loop: pace", pace);
    this.frames.plain.limit = 0;
  }
  /** Virtual seconds per real second now: time scale × pace, or 0 during a pause or a hit-stop. */
  get speed(): number {
    return this.paused || this.parts.clock.isStopped ? 0 : this.timeScale * this.pace;
  }
  /**
   * Steps that the current frame still runs, including the current one; 0 outside of steps. With a `stepBudget`, as many as
   * are likely to fit. In a step that has called `hitStop`, 1.
   */
  get due(): number {
    return this.frames.steps.isStepping ? this.frames.stepsLeft : 0;
  }
  /** When the time that the current frame simulates began: milliseconds of the driver's clock. */
  get frameStart(): number {
    return this.frameEnd - this.frames.info.realDelta * 1e3;
  }
  /** When the time that the current frame simulates ended: milliseconds of the driver's clock. */
  get frameEnd(): number {
    return endOfFrame(this.frames, this.parts.link);
  }
  /** Returns when shown time reaches `tick / rate` at the current speed: milliseconds of the driver's clock. */
  timestampOf(tick: number): number {
    requireWhole("Loop.timestampOf: tick", tick, 0, this.tick);
    const { frames, presentation, clock, link } = this.parts;
    return timestampOf(tick, frames, presentation, clock, link);
  }

  /** Runs one frame, `seconds` of real time after the last: runs the steps that are due, then draws. */
  advance(seconds: number): void {
    const { plain } = this.frames;
    if (plain.accepts(seconds)) plain.run(seconds);
    else this.advanceSpecial(seconds);
  }

  private advanceSpecial(seconds: number): void {
    requireNumber("Loop.advance: seconds", seconds, -MAX_ELAPSED, MAX_ELAPSED, "1 / 60");
    this.parts.requireRate("Loop.advance");
    this.parts.requireIdle("Loop.advance");
    this.frames.seconds = seconds;
    this.frames.run(undefined);
  }

  /** Runs exactly `count` steps, whatever the policy and even if paused, and draws once. */
  runSteps(count = 1): void {
    requireWhole("Loop.runSteps: count", count, 0, 1);
    this.parts.requireRate("Loop.runSteps");
    this.parts.requireIdle("Loop.runSteps");
    this.frames.runSteps(count);
  }

  /**
   * Changes settings. The rate, the policy, the cap and the driver may change at any time: time goes on where it was, and the
   * first frame of a new driver only sets the clock. Inside a callback, the rate changes after the frame. `pacing` and
   * `present` may change before the first frame and after `reset`.
   */
  configure(settings: Partial<LoopSettings>): void {
    this.parts.configure(settings);
  }

  /** Calls `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
  every(rate: Rate, run: (info: StepInfo) => void): Beat {
    requireArguments("Loop.every", arguments.length, 2);
    requireFunction("Loop.every: run", run);
    const { frames } = this;
    const beat = new PhasedBeat(exactRate("Loop.every: rate", rate), run, frames.info, this);
    // A beat declared inside a step starts with the next step.
    beat.phase.join(frames.accumulator, frames.steps.phase === IN_STEP ? this.tick : this.tick - 1);
    return this.parts.attached.every(beat);
  }

  /** Listens to an event. Returns the function that removes the listener. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    return this.parts.attached.on(event, listener);
  }

  /** Adds an object whose `step` and `render` are called. Returns the function that removes it. */
  add(system: System): () => void {
    return this.parts.attached.add(system);
  }

  /**
   * Shows a figure of your own with the others: in the HUD, in `String(loop.stats)` and in its JSON. `read` is called only
   * when one of them is made. Returns the function that removes the monitor.
   */
  monitor(name: string, read: () => MonitorValue): () => void {
    requireArguments("Loop.monitor", arguments.length, 2);
    return this.parts.monitors.add(name, read);
  }

  /** Lets the driver run the loop. The first frame only sets the clock: loading is not game time. */
  start(): void {
    this.parts.start();
  }

  /** Stops the loop. Inside a callback, the current step is finished and nothing more is called. */
  stop(): void {
    this.parts.stop();
  }

  /** Pauses the game: frames go on, steps do not. Paused time is never simulated. */
  pause(): void {
    if (this.paused) return;
    this.parts.clock.paused = true;
    this.frames.interrupt();
    this.parts.attached.events.pause.call();
  }

  /** Continues after `pause`. */
  resume(): void {
    if (!this.paused) return;
    this.parts.clock.paused = false;
    this.parts.attached.events.resume.call();
  }

  /**
   * Freezes the game for `seconds` of real time, then continues at the same speed: frames go on, steps do not. In a step, the
   * freeze begins right after that step, and first takes the time that the frame has left; if that is longer, the frame
   * continues with the steps after the freeze. A longer hit-stop that goes on already stays.
   */
  hitStop(seconds: number): void {
    requireNumber("Loop.hitStop: seconds", seconds, 0, MAX_SETTING, 0.1);
    this.parts.clock.stopFor(Math.round(seconds * SECOND));
    this.frames.freezeAfterStep();
  }

  /** Returns to tick 0 and clears time and stats; settings stay. Inside a callback, once the frame or step ends. */
  reset(): void {
    this.parts.reset();
  }
}
