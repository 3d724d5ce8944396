import { requireNumber, requireWhole } from "../../errors/index.js";
import { type ExactRate, exactRate } from "../../time/index.js";
import { FixedStep } from "../fixed-step.js";
import { requireDriver, type Driver } from "./drivers/driver.js";
import { FrameRunner, HALTED, INTERRUPTED, OVERLOADED } from "./frame.js";
import type { FrameInfo } from "./info.js";
import type { Kernel } from "./kernel.js";
import { checkOptions, requireMaxFrameTime, requireMaxSteps, type LoopOptions } from "./options.js";
import { attach, listen, type LoopEvents, type Part } from "./part.js";

/** Maximum seconds between two frames: 46 days. */
const MAX_ELAPSED = 4e6;

/** Runs steps of exactly `1 / rate` from the uneven time of a display, and draws between them. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #frames: FrameRunner;
  #parts: readonly Part[] = [];
  #driver: Driver | undefined;
  #isRunning = false;
  /** What waits for the end of the frame's steps or of its drawing. */
  #waiting: (() => void)[] = [];

  constructor(options: LoopOptions) {
    checkOptions(options);
    const { rate, maxFrameTime = 0.25, maxSteps = Infinity } = options;
    this.#options = options;
    this.#frames = new FrameRunner(
      this.#newKernel(exactRate("Loop: rate", rate)),
      options,
      () => this.#maxSpeed,
    );
    this.maxFrameTime = maxFrameTime;
    this.maxSteps = maxSteps;
  }

  // Time

  /** Number of the next step, and of the current state. */
  get tick(): number {
    return this.kernel.tick;
  }
  /** Seconds that a step simulates: `1 / rate`. */
  get dt(): number {
    return this.kernel.dt;
  }
  /** Simulated seconds: `tick / rate`, or counted from where the rate was last changed. */
  get time(): number {
    return this.kernel.timeAt(this.tick);
  }
  /** The time that is owed, exactly, and how much of it a display has lent. */
  get kernel(): Kernel {
    return this.#frames.kernel;
  }
  /** The parts that are attached. */
  get parts(): readonly Part[] {
    return this.#parts;
  }
  /** The last frame, or the current one: what it shows, and its time. */
  get frame(): FrameInfo {
    return this.#frames.info;
  }
  /** Virtual seconds that were thrown away. */
  get lostSeconds(): number {
    return this.#frames.lostSeconds;
  }
  get #maxSpeed(): number {
    let speed = 1;
    for (const { maxSpeed = 1 } of this.#parts) if (maxSpeed > 1) speed *= maxSpeed;
    return speed;
  }
  // Settings

  /** Steps per second, as a fraction in lowest terms. */
  get rate(): ExactRate {
    return this.kernel.rate;
  }
  /** Maximum real seconds that one frame simulates: see the option. */
  get maxFrameTime(): number {
    return this.#frames.maxFrameTime;
  }
  set maxFrameTime(seconds: number) {
    this.#frames.maxFrameTime = requireMaxFrameTime(seconds);
  }
  /** Maximum steps per frame: see the option. */
  get maxSteps(): number {
    return this.#frames.maxSteps;
  }
  set maxSteps(steps: number) {
    this.#frames.maxSteps = requireMaxSteps(steps);
  }

  /** Listens to an event. Returns the function that removes the listener. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    return listen(this.#frames.hooks, event, listener);
  }

  /**
   * Attaches an object whose methods are called at their place in each frame, such as `{ step() {}, render() {} }`. Returns the
   * function that removes it.
   */
  use(part: Part): () => void {
    this.emit("use", part);
    const remove = attach(this.#frames.hooks, part);
    this.#parts = [...this.#parts, part];
    return () => {
      this.#parts = this.#parts.filter((other) => other !== part);
      remove();
    };
  }

  // Running

  /** The driver that was started last. */
  get driver(): Driver | undefined {
    return this.#driver;
  }
  /** Whether a driver runs the loop. */
  get running(): boolean {
    return this.#isRunning;
  }
  /** Whether the loop is paused. */
  get paused(): boolean {
    return this.#frames.isPaused;
  }

  /** Lets a driver run the loop: `display()` on a page, `timer()` elsewhere. Without one, the last driver goes on. */
  start(driver: Driver | undefined = this.#driver): void {
    requireDriver("Loop.start", driver);
    if (this.#isRunning && driver === this.#driver) return;
    if (this.#isRunning) this.#driver?.stop();
    this.#driver = driver;
    this.#isRunning = true;
    try {
      driver.start(this);
      if (this.#isRunning) this.emit("start", undefined);
    } catch (error) {
      this.#stopQuietly();
      throw error;
    }
  }

  /** Stops the loop. Inside a callback, the current step is finished and nothing more is called. */
  stop(): void {
    this.#frames.end(HALTED);
    if (!this.#isRunning) return;
    this.#isRunning = false;
    try {
      this.#driver?.stop();
    } finally {
      this.emit("stop", undefined);
    }
  }

  /** Pauses the game: frames go on, steps do not. Paused time is never simulated. */
  pause(): void {
    if (this.paused) return;
    this.#frames.isPaused = true;
    this.endSteps(true);
    this.emit("pause", undefined);
  }

  /** Continues after `pause`. */
  resume(): void {
    if (!this.paused) return;
    this.#frames.isPaused = false;
    this.emit("resume", undefined);
  }

  /** Returns to tick 0; settings stay. Inside a callback, once the frame's steps or its drawing has ended. */
  reset(): void {
    this.endSteps(true);
    this.between(() => this.#reset());
  }

  /**
   * Runs one frame, `seconds` of real time after the last: runs the steps that are due, then draws. Drivers pass the frame's
   * timestamp, too, in milliseconds of their clock.
   */
  advance(seconds: number, timestamp?: number): void {
    requireNumber("Loop.advance: seconds", seconds, -MAX_ELAPSED, MAX_ELAPSED, "1 / 60");
    this.#frames.requireIdle("Loop.advance");
    const { info } = this.#frames;
    const real = seconds > 0 ? seconds : 0;
    info.timestamp = timestamp ?? info.timestamp + real * 1e3;
    this.#run(real);
  }

  /** Runs exactly `count` steps, whatever the settings and even if paused, and draws once. */
  runSteps(count = 1): void {
    requireWhole("Loop.runSteps: count", count, 0, 1);
    this.#frames.requireIdle("Loop.runSteps");
    this.#run(0, count);
  }

  /** Runs a frame. An error of a callback stops the loop; the step that threw stays owed. */
  #run(seconds: number, forced?: number): void {
    try {
      this.#frames.run(seconds, forced);
      this.#runWaiting();
      this.#frames.draw();
    } catch (error) {
      this.#stopQuietly();
      throw error;
    } finally {
      this.#runWaiting();
    }
  }

  #runWaiting(): void {
    while (this.#waiting.length > 0) this.#waiting.shift()!();
  }

  // For parts and drivers

  /** Runs a function between steps and drawing, or between frames: now, or inside a callback, as soon as possible. */
  between(run: () => void): void {
    this.#waiting.push(run);
    if (!this.#frames.isBusy) this.#runWaiting();
  }

  /** Runs no further step in this frame. The whole steps that it still owes are lost, or only discarded if the game `stops`. */
  endSteps(stops = false): void {
    this.#frames.end(stops ? INTERRUPTED : OVERLOADED);
  }

  /** Does not draw this frame: for the hook `cap`. */
  skipFrame(): void {
    this.#frames.isSkipped = true;
  }

  /** Goes on with another kernel. Returns the seconds that this loses; negative if it gains some. */
  replaceKernel(kernel: Kernel): number {
    return this.#frames.replace(kernel);
  }

  /** Calls the listeners of an event. */
  emit<E extends keyof LoopEvents>(event: E, info: LoopEvents[E]): void {
    this.#frames.hooks[event].call(info);
  }

  #stopQuietly(): void {
    try {
      this.stop();
    } catch {
      // Report the original error, not this one.
    }
  }

  #newKernel(rate: ExactRate): Kernel {
    const { stepping } = this.#options;
    return stepping ? stepping(rate) : new FixedStep(rate);
  }

  #reset(): void {
    this.#frames.restart(this.#newKernel(this.rate));
    this.emit("reset", undefined);
  }
}
