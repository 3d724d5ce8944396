import { requireSynchronous } from "../errors/index.js";
import { BeatPhase, nextBeat, type ExactRate } from "../time/index.js";
import { BeatListeners, type BeatEvents, type BeatLoop } from "./beat-events.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import { stepInProgress } from "./rate-in-step.js";

/** A callback at a further rate, in exact phase with the steps. */
export interface Beat {
  /** Number of the next beat. For a beat declared before the first step, the count of beats that ran. */
  readonly tick: number;
  /**
   * Where the picture lies between the second to last beat (0) and the last one (1). Grows from 0 to 1 until the next beat
   * runs: evenly, if the beat's rate divides the loop's.
   */
  readonly alpha: number;
  /**
   * Listens to the beat, as `smooth(beat, …)` does: before and after each call of its callback, and before each frame, with
   * the beat's `tick` and `alpha`. Returns the function that removes the listener.
   */
  on<E extends keyof BeatEvents>(event: E, listener: (info: BeatEvents[E]) => void): () => void;
  /** Ends the beat. */
  dispose(): void;
}

/** A beat of a loop: see `BeatPhase` for when it runs. */
export class PhasedBeat implements Beat {
  readonly phase: BeatPhase;
  readonly #rate: ExactRate;
  readonly #run: (info: StepInfo) => void;
  readonly #frame: FrameInfo;
  readonly #info: Writable<StepInfo>;
  readonly #listeners: BeatListeners;

  constructor(rate: ExactRate, run: (info: StepInfo) => void, frame: FrameInfo, loop: BeatLoop) {
    this.phase = new BeatPhase(rate);
    this.#rate = rate;
    this.#run = run;
    this.#frame = frame;
    this.#info = { tick: 0, dt: rate[1] / rate[0], time: 0.5 };
    this.#listeners = new BeatListeners(this, loop, frame);
  }

  get tick(): number {
    return this.phase.tick;
  }

  get alpha(): number {
    const { tick, alpha } = this.#frame;
    return this.phase.progressAt(tick - 1 + alpha);
  }

  on<E extends keyof BeatEvents>(event: E, listener: (info: BeatEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  dispose(): void {
    this.phase.isOver = true;
  }

  run(): void {
    const info = this.#info;
    info.tick = this.tick;
    info.time = (this.tick * this.#rate[1]) / this.#rate[0];
    const outer = stepInProgress.rate;
    stepInProgress.rate = this.#rate;
    try {
      this.#listeners.enter.call(info);
      requireSynchronous("Loop.every: run", this.#run(info));
      this.#listeners.leave.call(info);
    } finally {
      stepInProgress.rate = outer;
    }
    this.phase.next();
  }
}

/** Runs all beats that are due before a step. */
export function runBeats(beats: readonly PhasedBeat[], step: number): void {
  for (let beat = nextBeat(beats, step); beat; beat = nextBeat(beats, step)) beat.run();
}
