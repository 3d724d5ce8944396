import { misuse, requireNumber, requireSynchronous, requireWhole } from "../errors/index.js";
import type { Stepper } from "./fixed-step.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import type { Kernel } from "./kernel.js";
import type { ListenerList } from "./listener-list.js";
import type { LoopOptions } from "./options.js";
import { newListeners, type FrameTime, type LoopEvents, type Part } from "./part.js";
import { quietly } from "./quietly.js";
import { stepInProgress } from "./rate-in-step.js";
import { MAX_ELAPSED } from "./units.js";

/** Maximum units that are added at a time, so that their sums stay exact. */
const MAX_UNITS = 2 ** 51;

// What the current frame may still do; a higher number forbids more.
const RUNNING = 0;
/** The frame runs no further step. The whole steps that it still owes are lost. */
const OVERLOADED = 1;
/** The game was paused or reset. The whole steps that the frame still owes are discarded, but do not count as lost. */
const INTERRUPTED = 2;
/** The loop was stopped, or a part skips the frame. It calls nothing more. */
export const HALTED = 3;

/**
 * Runs frames. `Loop` adds what its users call. A frame
 *
 * 1. clamps its time to `maxFrameTime`, and converts it to the kernel's units;
 * 2. lets parts change it: `scale` (time scale), `repay` (catch-up), `align` (the display);
 * 3. adds it to what the kernel owes, which runs the steps that are due: beforeStep, enterStep, beat, step, leaveStep, afterStep;
 * 4. drops the whole steps that `maxSteps`, a step budget or a pause has left over;
 * 5. draws, at the kernel's alpha: frame, present, beforeRender, render, afterRender.
 *
 * The two limits, 1 and 4, end the article's spiral of death.
 */
export abstract class Frames {
  protected readonly hooks = newListeners();
  readonly frame: Writable<FrameInfo> = {
    alpha: 0,
    tick: 0,
    steps: 0,
    shownTime: 0,
    delta: 0,
    realDelta: 0,
    timestamp: 0,
  };
  readonly #step: Writable<StepInfo> = { tick: 0, dt: 0, time: 0 };
  readonly #time: Writable<FrameTime> = { real: 0, units: 0 };
  /** Lost time, exactly: whole steps and a rest of less than one; and the seconds lost at earlier rates. */
  #lostSteps = 0;
  #lostRest = 0;
  #lostBefore = 0;
  parts: readonly Part[] = [];
  /** The options `maxFrameTime` and `maxSteps`. */
  protected timeLimit!: number;
  protected stepLimit!: number;
  paused = false;
  /** Whether a callback may be running: a frame runs its steps, or draws. */
  #isBusy = false;
  #ended = RUNNING;
  /** Functions passed to `between` that wait for running callbacks to end. */
  readonly #waiting: (() => void)[] = [];
  readonly #stepper: Stepper = {
    mayStep: () => this.#ended === RUNNING && this.frame.steps < this.stepLimit,
    step: () => this.#takeStep(),
    stepped: () => {
      this.frame.steps++;
      call(this.hooks.afterStep, this.#step);
    },
  };

  constructor(
    public kernel: Kernel,
    options: LoopOptions,
  ) {
    // Looked up at each call, as a game may replace them.
    this.hooks.step.add((info) => options.step?.(info), options, "Loop: step");
    this.hooks.render.add((info) => options.render?.(info));
  }

  abstract stop(): void;

  /**
   * Runs one frame, `seconds` of real time after the last: runs the steps that are due, then draws. Drivers pass the frame's
   * timestamp, too, in milliseconds of their clock.
   */
  advance(seconds: number, timestamp?: number): void {
    if (typeof seconds !== "number" || !(Math.abs(seconds) <= MAX_ELAPSED))
      requireNumber("Loop.advance: seconds", seconds, -MAX_ELAPSED, MAX_ELAPSED, "1 / 60");
    this.#requireIdle("Loop.advance");
    const { frame } = this;
    frame.realDelta = seconds > 0 ? seconds : 0;
    // As statements: a value that is either passed in or computed would be allocated.
    if (timestamp === undefined) frame.timestamp += frame.realDelta * 1e3;
    else frame.timestamp = timestamp;
    this.#run();
  }

  /** Runs exactly `count` steps, whatever the settings and even if paused, and draws once. */
  runSteps(count = 1): void {
    requireWhole("Loop.runSteps: count", count, 0, 1);
    this.#requireIdle("Loop.runSteps");
    this.frame.realDelta = 0;
    this.#run(count);
  }

  /** Runs a frame: one of `frame.realDelta` seconds, or one that runs exactly `forced` steps. An error of a callback stops the loop. */
  #run(forced?: number): void {
    const { frame } = this;
    const outerRate = stepInProgress.rate;
    frame.delta = frame.steps = 0;
    this.#ended = RUNNING;
    this.#isBusy = true;
    stepInProgress.rate = this.kernel.rate;
    try {
      if (forced !== undefined) this.#force(forced);
      else if (!this.paused) this.#simulate();
      stepInProgress.rate = outerRate;
      this.describe();
      this.#runWaiting();
      this.#draw();
      this.#runWaiting();
    } catch (error) {
      stepInProgress.rate = outerRate;
      this.describe();
      // Report the original error, not these.
      quietly(() => this.stop());
      quietly(() => this.#runWaiting());
      throw error;
    }
  }

  /** Clamps the frame's time, lets parts change it, and runs the steps that are due. */
  #simulate(): void {
    const { kernel, frame } = this;
    const time = this.#time;
    time.real = frame.realDelta;
    kernel.convert(time);
    const { real } = time;
    // Whole steps that are still owed after an error use up the clamp: they must not come back as a burst.
    const leftOver = kernel.owed < kernel.step ? 0 : kernel.owed - (kernel.owed % kernel.step);
    const room = Math.round(this.timeLimit * kernel.second) - leftOver;
    let left = Math.max(0, Math.min(real, room));
    const cut = real - left;
    let longest = MAX_UNITS;
    // A piece's scaled time stays below 2^51 units. A power of two can be subtracted without rounding.
    for (const { owner } of this.hooks.scale.entries)
      longest /= 2 ** Math.max(0, Math.ceil(Math.log2((owner as Part | undefined)?.maxSpeed ?? 1)));
    // Nearly all frames are a single piece.
    do {
      time.real = time.units = Math.min(left, longest);
      left -= time.units;
      call(this.hooks.scale, time);
      frame.delta += time.units / kernel.second;
      call(this.hooks.repay, time);
      call(this.hooks.align, time);
      kernel.owed += time.units;
      // Real time beyond `maxFrameTime`, and whole steps that the frame could not run, are overload.
      if (cut > 0 && left === 0) this.#lose(cut, cut);
      kernel.run(this.#stepper);
      if (kernel.owed >= kernel.step) this.#lose(0, kernel.drop());
    } while (left > 0);
  }

  /** Runs some steps, whatever the settings. */
  #force(count: number): void {
    const { frame, kernel } = this;
    call(this.hooks.force, count);
    while (frame.steps < count && this.#ended < HALTED) kernel.force(this.#stepper);
    frame.delta = frame.steps * kernel.dt;
  }

  /** The `step` callback of the loop's options is the first listener of that hook. */
  #takeStep(): void {
    const { hooks } = this;
    this.kernel.describe(this.#step);
    call(hooks.beforeStep, this.#step);
    call(hooks.enterStep, this.#step);
    call(hooks.beat, this.#step);
    call(hooks.step, this.#step);
    call(hooks.leaveStep, this.#step);
  }

  /** Counts time that the frame could not simulate as lost, unless a part such as `catchUp` takes it. */
  #lose(real: number, units: number): void {
    const { step } = this.kernel;
    const time = this.#time;
    time.real = real;
    time.units = units;
    if (real > 0) call(this.hooks.scale, time);
    // After a pause, a reset or a hit-stop, the remaining steps are discarded, not lost.
    else if (!units || this.#ended >= INTERRUPTED) return;
    call(this.hooks.lose, time);
    const lost = this.#lostRest + time.units;
    this.#lostRest = lost % step;
    this.#lostSteps += (lost - this.#lostRest) / step;
    call(this.hooks.lost, time);
  }

  /** Virtual seconds that were thrown away. */
  get lostSeconds(): number {
    const { step, second } = this.kernel;
    return this.#lostBefore + (this.#lostSteps * step + this.#lostRest) / second;
  }

  /** Starts again with a new kernel. */
  protected restart(kernel: Kernel): void {
    const { frame } = this;
    this.continueWith(kernel, 0);
    frame.delta = frame.realDelta = frame.steps = frame.timestamp = 0;
    this.describe();
  }

  /** Goes on with another kernel, after `lostBefore` seconds were lost. */
  continueWith(kernel: Kernel, lostBefore: number): void {
    this.#lostBefore = lostBefore;
    this.#lostSteps = this.#lostRest = 0;
    this.kernel = kernel;
  }

  /** Copies tick, alpha and shown time from the kernel. */
  protected describe(): void {
    const { frame, kernel } = this;
    kernel.show();
    frame.tick = kernel.tick;
    frame.alpha = kernel.alpha;
    frame.shownTime = kernel.shownTime;
  }

  #draw(): void {
    const { hooks } = this;
    this.#isBusy = true;
    this.#show(hooks.frame);
    this.#show(hooks.present);
    this.#show(hooks.beforeRender);
    this.#show(hooks.render);
    this.#show(hooks.afterRender);
  }

  /** Calls listeners with the frame, unless the loop was stopped, or a part skips the frame. */
  #show(hook: ListenerList<Writable<FrameInfo>>): void {
    if (this.#ended < HALTED) call(hook, this.frame);
  }

  /** Calls the listeners of an event: for parts and drivers. */
  emit<E extends keyof LoopEvents>(event: E, info?: LoopEvents[E]): void {
    call(this.hooks[event] as ListenerList<unknown>, info);
  }

  /** Runs no further step in this frame. The whole steps that it still owes are lost, or only discarded if the game `stops`. */
  endSteps(stops = false): void {
    this.end(stops ? INTERRUPTED : OVERLOADED);
  }

  /** Ends the frame, as far as `how` says. */
  protected end(how: number): void {
    this.#ended = Math.max(this.#ended, how);
  }

  /** Does not draw this frame: for the hook `present`. */
  skipFrame(): void {
    this.end(HALTED);
  }

  /** Runs a function now, or inside a callback, after the frame's steps or its drawing. */
  between(run: () => void): void {
    this.#waiting.push(run);
    if (!this.#isBusy) this.#runWaiting();
  }

  #runWaiting(): void {
    this.#isBusy = false;
    while (this.#waiting.length > 0) this.#waiting.shift()!();
  }

  /** Throws inside a frame. */
  #requireIdle(caller: string): void {
    if (this.#isBusy)
      misuse(
        "reentrant",
        caller,
        `cannot be called from a callback (tick ${this.kernel.tick})`,
        "Call it after the frame",
      );
  }
}

/** Calls all listeners, in the order in which they were added. Throws if one that must be synchronous returns a promise. */
export function call<T>({ entries }: ListenerList<T>, info: T): void {
  // Most lists of a frame are empty. Engines inline this check, but not the calls.
  if (entries.length > 0) callEach(entries, info);
}

function callEach<T>(entries: ListenerList<T>["entries"], info: T): void {
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    const result = entry.run?.call(entry.owner, info);
    if (result !== undefined && entry.subject) requireSynchronous(entry.subject, result);
  }
}
