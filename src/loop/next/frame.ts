import { misuse, requireSynchronous } from "../../errors/index.js";
import type { Stepper } from "../fixed-step.js";
import { stepInProgress } from "../rate-in-step.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import type { Kernel } from "./kernel.js";
import type { LoopOptions } from "./options.js";
import { newListeners, type FrameTime } from "./part.js";

/** Maximum units that are added at a time, so that their sums stay exact. */
const MAX_UNITS = 2 ** 51;

// How far a frame has ended; a higher number includes the lower ones.
const GOES_ON = 0;
/** The frame runs no further step. The whole steps that it still owes are lost. */
export const OVERLOADED = 1;
/** The game was paused or reset. The whole steps that the frame still owes are discarded, but do not count as lost. */
export const INTERRUPTED = 2;
/** The loop was stopped. The frame calls nothing more. */
export const HALTED = 3;

/** Runs the frames of a loop: takes a frame's time, runs the steps that are due, and draws. */
export class FrameRunner implements Stepper {
  readonly hooks = newListeners();
  // Fractions first: engines then store these fields as doubles and never allocate for them.
  readonly info: Writable<FrameInfo> = {
    alpha: 0.5,
    tick: 0,
    steps: 0,
    shownTime: 0.5,
    delta: 0.5,
    realDelta: 0.5,
    timestamp: 0.5,
  };
  readonly #stepInfo: Writable<StepInfo> = { tick: 0, dt: 0.5, time: 0.5 };
  readonly #time: Writable<FrameTime> = { real: 0.5, units: 0.5 };
  /** Lost time, exactly: whole steps and a rest of less than one; and the seconds lost at earlier rates. */
  #lostSteps = 0;
  #lostRest = 0;
  #lostBefore = 0;
  maxFrameTime = 0.25;
  maxSteps = Infinity;
  isPaused = false;
  /** Whether a callback may be running: a frame runs its steps, or draws. */
  isBusy = false;
  /** How far the frame has ended: one of the constants above. */
  ended = GOES_ON;
  /** The frame is not drawn. */
  isSkipped = false;

  /** `maxSpeed` returns how fast virtual time may pass in the next frame. */
  constructor(
    public kernel: Kernel,
    private readonly options: LoopOptions,
    private readonly maxSpeed: () => number,
  ) {
    this.restart(kernel);
  }

  restart(kernel: Kernel): void {
    const { info } = this;
    this.kernel = kernel;
    this.#lostSteps = this.#lostRest = this.#lostBefore = 0;
    info.delta = info.realDelta = info.steps = info.timestamp = 0;
    this.describe();
  }

  /** Runs a frame: one of `seconds`, or one that runs exactly `forced` steps. */
  run(seconds: number, forced?: number): void {
    const { info } = this;
    const outerRate = stepInProgress.rate;
    info.realDelta = seconds;
    info.delta = info.steps = 0;
    this.ended = GOES_ON;
    this.isSkipped = false;
    this.isBusy = true;
    stepInProgress.rate = this.kernel.rate;
    try {
      if (forced !== undefined) this.#force(forced);
      else if (!this.isPaused) this.#simulate();
    } finally {
      stepInProgress.rate = outerRate;
      this.isBusy = false;
      this.describe();
    }
  }

  /** Clamps the frame's time, lets parts change it, and runs the steps that are due. */
  #simulate(): void {
    const { kernel, hooks, info } = this;
    const time = this.#time;
    const longest = MAX_UNITS / kernel.second / this.maxSpeed();
    let room = Math.round(this.maxFrameTime * kernel.second);
    let left = info.realDelta;
    // Nearly all frames are a single piece. A frame without time is one, too: it runs a step that threw before.
    do {
      const real = kernel.unitsOf(Math.min(left, longest));
      const given = Math.min(real, room);
      room -= given;
      time.real = time.units = given;
      hooks.scale.call(time);
      info.delta += time.units / kernel.second;
      hooks.repay.call(time);
      hooks.align.call(time);
      kernel.owed += time.units;
      kernel.run(this);
      if (kernel.owed >= kernel.step) this.#drop();
      if (real > given) this.#clamp(real - given);
      left -= longest;
    } while (left > 0);
  }

  #force(count: number): void {
    const { info, kernel } = this;
    this.hooks.force.call(count);
    while (info.steps < count && this.ended < HALTED) kernel.force(this);
    info.delta = info.steps * kernel.dt;
  }

  goesOn(): boolean {
    return this.ended === GOES_ON && this.info.steps < this.maxSteps;
  }

  step(): void {
    const { hooks, kernel } = this;
    const info = this.#stepInfo;
    info.tick = kernel.tick;
    info.dt = kernel.dt;
    info.time = kernel.timeAt(kernel.tick);
    hooks.beforeStep.call(info);
    hooks.enterStep.call(info);
    hooks.beat.call(info);
    const returned: unknown = this.options.step?.(info);
    if (returned !== undefined) requireSynchronous("Loop: step", returned);
    hooks.step.call(info);
    hooks.leaveStep.call(info);
  }

  stepped(): void {
    this.info.steps++;
    this.hooks.afterStep.call(this.#stepInfo);
  }

  /** Drops the whole steps that the frame could not run. */
  #drop(): void {
    const time = this.#time;
    time.units = this.kernel.drop();
    time.real = 0;
    if (this.ended < INTERRUPTED) this.#lose();
  }

  /** Drops real time beyond `maxFrameTime`, in units. */
  #clamp(real: number): void {
    const time = this.#time;
    time.real = time.units = real;
    this.hooks.scale.call(time);
    this.#lose();
  }

  #lose(): void {
    const { hooks, kernel } = this;
    const time = this.#time;
    hooks.lose.call(time);
    const rest = this.#lostRest + (time.units % kernel.step);
    this.#lostSteps += Math.floor(time.units / kernel.step) + Math.floor(rest / kernel.step);
    this.#lostRest = rest % kernel.step;
    hooks.lost.call(time);
  }

  get lostSeconds(): number {
    return this.#lostBefore + this.#lostSteps * this.kernel.dt + this.#lostRest / this.kernel.second;
  }

  /** Goes on with another kernel. Returns the seconds that this loses; negative if it gains some. */
  replace(kernel: Kernel): number {
    const { owed, lead, second } = this.kernel;
    const lost = (owed - lead) / second - (kernel.owed - kernel.lead) / kernel.second;
    this.#lostBefore = this.lostSeconds + lost;
    this.#lostSteps = this.#lostRest = 0;
    this.kernel = kernel;
    return lost;
  }

  /** Says what the frame shows. */
  describe(): void {
    const { info, kernel } = this;
    info.tick = kernel.tick;
    info.alpha = kernel.alpha;
    info.shownTime = kernel.shownTime;
  }

  /** Draws the frame. */
  draw(): void {
    const { hooks, info } = this;
    this.isBusy = true;
    try {
      if (this.ended < HALTED) hooks.frame.call(info);
      if (this.ended < HALTED) hooks.cap.call(info);
      if (this.ended < HALTED && !this.isSkipped) hooks.beforeRender.call(info);
      if (this.ended === HALTED || this.isSkipped) return;
      this.options.render?.(info);
      hooks.render.call(info);
      hooks.afterRender.call(info);
    } finally {
      this.isBusy = false;
    }
  }

  /** Ends the frame, as far as `how` says. */
  end(how: number): void {
    if (how > this.ended) this.ended = how;
  }

  /** Throws inside a frame. */
  requireIdle(call: string): void {
    if (this.isBusy)
      misuse(
        "reentrant",
        call,
        `cannot be called from a callback (tick ${this.kernel.tick})`,
        "Call it after the frame, for example with queueMicrotask",
      );
  }
}
