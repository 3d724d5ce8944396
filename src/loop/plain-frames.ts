import { requireSynchronous } from "../errors/index.js";
import type { ExactRate, TimeScale } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { Attachments } from "./attachments.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import type { Callbacks } from "./options.js";
import { DRAWING, IDLE, IN_STEP } from "./phase.js";
import { stepInProgress } from "./rate-in-step.js";
import type { StepRunner } from "./step-runner.js";
import type { Tally } from "./tally.js";

// Copies in this module, as V8 looks up an imported binding at each use.
const [idle, drawing, inStep, current] = [IDLE, DRAWING, IN_STEP, stepInProgress];

/** Continues a frame that is no longer plain. */
export interface PlainFrameHost {
  /** Ends the step whose callback has just returned, and the frame. */
  endStepAndFrame(): void;
  /** Ends the frame, whose `render` callback has just returned. */
  endDrawing(): void;
  /** Handles an error of a callback, and returns it. */
  fail(error: unknown): unknown;
}

/**
 * Runs plain frames: real time, exact steps, nothing attached, limited or measured. They do what `FrameRunner.run` does, but
 * all of it is here, without the checks that cannot apply: small enough for V8 to inline a frame as a whole.
 */
export class PlainFrames {
  /**
   * Shorter frames, in seconds, are plain. Whatever makes a frame special, even in the middle of a plain one, sets this to 0;
   * each special frame calls `allow` at its end.
   */
  limit: number;
  /** The limit if only settings are considered; 0 if these rule plain frames out. */
  private max: number;
  private readonly stepInfo: Writable<StepInfo>;
  private accumulator!: Accumulator;
  private tally!: Tally;

  constructor(
    private readonly callbacks: Required<Callbacks>,
    private readonly steps: StepRunner,
    private readonly info: Writable<FrameInfo>,
    private readonly attached: Attachments,
    private readonly clock: TimeScale,
    private readonly host: PlainFrameHost,
  ) {
    this.stepInfo = steps.info;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.limit = this.max = 0.5;
    this.limit = this.max = 0;
  }

  /** Starts again at tick 0. */
  restart(accumulator: Accumulator, tally: Tally): void {
    this.accumulator = accumulator;
    this.tally = tally;
  }

  /** Sets the limit by settings. */
  setMax(max: number): void {
    this.limit = 0;
    this.max = max;
    if (this.steps.phase === idle) this.allow();
  }

  /** Rules plain frames out until `setMax` is called. */
  forbid(): void {
    this.limit = this.max = 0;
  }

  /** Lets the next frame be plain, unless something rules it out. */
  allow(): void {
    if (this.attached.any || this.steps.isInterrupted) return;
    if (this.clock.plain) this.limit = this.max;
  }

  /** Whether a frame of this length, outside of other frames, is plain. */
  accepts(seconds: number): boolean {
    return typeof seconds === "number" && seconds > 0 && seconds < this.limit && this.steps.phase === idle;
  }

  /** Runs a frame that `accepts` has accepted. */
  run(seconds: number): void {
    const { callbacks, steps, info, accumulator, stepInfo: step } = this;
    const outerRate = current.rate;
    // V8 knows that a sum is a double, and need not check it at each use.
    const time = seconds + 0;
    const due = accumulator.takePlain(time);
    info.delta = info.realDelta = time;
    info.steps = due;
    current.rate = accumulator.rate;
    steps.phase = inStep;
    try {
      let { tick } = steps;
      for (const end = tick + due; tick < end; steps.tick = ++tick) {
        step.tick = tick;
        step.time = accumulator.timeAt(tick);
        const returned: unknown = callbacks.step(step);
        if (returned !== undefined) requireSynchronous("Loop: step", returned);
        if (this.limit === 0) return this.endStep(outerRate);
      }
      current.rate = outerRate;
      steps.phase = drawing;
      accumulator.showUsual(info, tick);
      this.tally.countFew(due);
      callbacks.render(info);
      if (this.limit === 0) return this.host.endDrawing();
      steps.phase = idle;
    } catch (error) {
      this.fail(error, outerRate);
    }
  }

  // Each byte of code that `run` does not have makes it likelier to be inlined.

  private endStep(outerRate: ExactRate | undefined): void {
    this.handOver(outerRate);
    this.host.endStepAndFrame();
  }

  private fail(error: unknown, outerRate: ExactRate | undefined): void {
    this.handOver(outerRate);
    throw this.host.fail(error);
  }

  /** Sets what a plain frame has left out. */
  private handOver(outerRate: ExactRate | undefined): void {
    const { accumulator, steps, info } = this;
    steps.outerRate = outerRate;
    accumulator.realDelta = accumulator.delta = info.realDelta;
    accumulator.moving = accumulator.virtual = 1;
  }
}
