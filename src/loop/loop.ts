import { requireNumber, requireWhole } from "../errors/index.js";
import { requireDriver, type Driver } from "./drivers/driver.js";
import { FixedStep } from "./fixed-step.js";
import { Frames, HALTED } from "./frames.js";
import type { FrameInfo } from "./info.js";
import type { Kernel } from "./kernel.js";
import { checkOptions, type LoopOptions } from "./options.js";
import { hooksOf, listen, type LoopEvents, type Part } from "./part.js";
import { quietly } from "./quietly.js";
import { exactRate, type ExactRate } from "./rate.js";
import { MAX_SETTING } from "./units.js";

/** Runs steps of exactly `1 / rate` from the uneven time of a display, and draws between them. */
export class Loop extends Frames {
  /** The last frame, or the current one: what it shows, and its time. */
  declare readonly frame: FrameInfo;
  /** The time that is owed, exactly, and how much of it a display has lent. */
  declare readonly kernel: Kernel;
  /** The parts that are attached. */
  declare readonly parts: readonly Part[];
  /** Whether the loop is paused. */
  declare readonly paused: boolean;
  readonly #options: LoopOptions;
  #driver: Driver | undefined;
  #isRunning = false;

  constructor(options: LoopOptions) {
    checkOptions(options);
    const { rate, maxFrameTime = 0.25, maxSteps = Infinity } = options;
    super(newKernel(options, exactRate("Loop: rate", rate)), options);
    this.#options = options;
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
  /** Where the last frame's picture lies between the previous state (0) and the current one (1). */
  get alpha(): number {
    return this.frame.alpha;
  }

  /** Steps per second, as a fraction in lowest terms. */
  get rate(): ExactRate {
    return this.kernel.rate;
  }

  /** Maximum real seconds that one frame simulates: see the option. */
  get maxFrameTime(): number {
    return this.timeLimit;
  }
  set maxFrameTime(seconds: number) {
    requireNumber("Loop: maxFrameTime", seconds, 1e-9, MAX_SETTING, 0.25);
    this.timeLimit = seconds;
  }
  /** Maximum steps per frame: see the option. */
  get maxSteps(): number {
    return this.stepLimit;
  }
  set maxSteps(steps: number) {
    if (steps !== Infinity) requireWhole("Loop: maxSteps", steps, 1, 8);
    this.stepLimit = steps;
  }

  // Parts

  /** Listens to an event. Returns the function that removes the listener. */
  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    return listen(this.hooks, event, listener);
  }

  /**
   * Attaches an object whose methods are called at their place in each frame, such as `{ step() {}, render() {} }`. Returns the
   * function that removes it.
   */
  use(part: Part): () => void {
    const hooks = hooksOf(part);
    this.emit("use", part);
    const removers = hooks.map((name) =>
      this.hooks[name].add(part[name] as (info: unknown) => void, part, `Loop.use: ${name}`),
    );
    (this as Frames).parts = [...this.parts, part];
    return () => {
      (this as Frames).parts = this.parts.filter((other) => other !== part);
      for (const remove of removers) remove();
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

  /** Lets a driver run the loop: `display()` on a page, `timer()` elsewhere. Without one, the last driver goes on. */
  start(driver: Driver | undefined = this.#driver): void {
    requireDriver("Loop.start", driver);
    if (this.#isRunning && driver === this.#driver) return;
    if (this.#isRunning) this.#driver?.stop(this);
    this.#driver = driver;
    this.#isRunning = true;
    try {
      driver.start(this);
      if (this.#isRunning) this.emit("start");
    } catch (error) {
      // Report this error, not one of `stop`.
      quietly(() => this.stop());
      throw error;
    }
  }

  /** Stops the loop. Inside a callback, the current step is finished and nothing more is called. */
  stop(): void {
    this.end(HALTED);
    if (!this.#isRunning) return;
    this.#isRunning = false;
    try {
      this.#driver?.stop(this);
    } finally {
      this.emit("stop");
    }
  }

  /** Pauses the game: frames go on, steps do not. Paused time is never simulated. */
  pause(): void {
    if (this.paused) return;
    (this as Frames).paused = true;
    this.endSteps(true);
    this.emit("pause");
  }

  /** Continues after `pause`. */
  resume(): void {
    if (!this.paused) return;
    (this as Frames).paused = false;
    this.emit("resume");
  }

  /** Returns to tick 0; settings stay. Inside a callback, once the frame's steps or its drawing has ended. */
  reset(): void {
    this.endSteps(true);
    this.between(() => {
      this.restart(newKernel(this.#options, this.rate));
      this.emit("reset");
    });
  }
}

const newKernel = ({ stepping }: LoopOptions, rate: ExactRate): Kernel =>
  stepping ? stepping(rate) : new FixedStep(rate);
