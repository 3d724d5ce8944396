import { requireSynchronous } from "../errors/index.js";
import type { ExactRate } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { FrameInfo, Writable } from "./info.js";
import type { Callbacks } from "./options.js";
import { DRAWING, IDLE, IN_STEP } from "./phase.js";
import { stepInProgress } from "./rate-in-step.js";
import type { StepRunner } from "./step-runner.js";
import type { Tally } from "./tally.js";

// Copies in this module, as V8 looks up an imported binding at each use.
const [idle, drawing, inStep, current] = [IDLE, DRAWING, IN_STEP, stepInProgress];

/** Continues a frame that is no longer plain. `outerRate` is the rate of the loop in whose step it runs, if any. */
export interface PlainFrameHost {
  /** Ends the step whose callback has just returned, and the frame. */
  endStepAndFrame(outerRate: ExactRate | undefined): void;
  /** Ends the frame, whose `render` callback has just returned. */
  endDrawing(): void;
  /** Handles an error of a callback, and returns it. */
  failPlain(error: unknown, outerRate: ExactRate | undefined): unknown;
}

/**
 * Runs plain frames: real time, exact steps, nothing attached, limited or measured. They do what `FrameRunner.run` does, but
 * all of it is here, without the checks that cannot apply: small enough for V8 to inline a frame as a whole.
 */
export class PlainFrames {
  /**
   * Shorter frames, in seconds, are plain. Whatever makes a frame special, even in the middle of a plain one, sets this to 0;
   * each special frame sets it back at its end if it can.
   */
  limit: number;
  private accumulator!: Accumulator;
  private tally!: Tally;

  constructor(
    private readonly callbacks: Required<Callbacks>,
    private readonly steps: StepRunner,
    private readonly info: Writable<FrameInfo>,
    private readonly host: PlainFrameHost,
  ) {
    // A fraction first: engines then store this field as a double and never allocate for it.
    this.limit = 0.5;
    this.limit = 0;
  }

  /** Starts again at tick 0. */
  restart(accumulator: Accumulator, tally: Tally): void {
    this.accumulator = accumulator;
    this.tally = tally;
  }

  /** Whether a frame of this length, outside of other frames, is plain. */
  accepts(seconds: number): boolean {
    return typeof seconds === "number" && seconds > 0 && seconds < this.limit && this.steps.phase === idle;
  }

  /** Runs a frame that `accepts` has accepted. */
  run(seconds: number): void {
    const { callbacks, steps, info, accumulator } = this;
    const { info: step } = steps;
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
        step.time = accumulator.timeOf(tick);
        const returned: unknown = callbacks.step(step);
        if (returned !== undefined) requireSynchronous("Loop: step", returned);
        if (this.limit === 0) return this.host.endStepAndFrame(outerRate);
      }
      current.rate = outerRate;
      steps.phase = drawing;
      accumulator.show(info, tick);
      this.tally.countFew(due);
      callbacks.render(info);
      if (this.limit === 0) return this.host.endDrawing();
      steps.phase = idle;
    } catch (error) {
      throw this.host.failPlain(error, outerRate);
    }
  }
}
