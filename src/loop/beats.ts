import { requireSynchronous } from "../errors/index.js";
import { mulDiv, remainder, type ExactRate } from "../time/index.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import { stepInProgress } from "./rate-in-step.js";

/** A callback at a further rate, in exact phase with the steps. */
export interface Beat {
  /** Number of the next beat. For a beat declared before the first step, the count of beats that ran. */
  readonly tick: number;
  /** Where the picture lies between the second to last beat (0) and the last one (1). */
  readonly alpha: number;
  /** Ends the beat. */
  dispose(): void;
}

/**
 * Beat k of rate b runs just before the first step n with n / rate ≥ k / b: n = k × rate / b, rounded up. That ratio is
 * `#steps / #beats`, in whole numbers, so the phase is exact forever.
 */
export class PhasedBeat implements Beat {
  tick!: number;
  disposed = false;
  /** The step before which the next beat runs, and how late the beat is by then, in steps / `#beats`. */
  #due!: number;
  #late!: number;
  #steps!: number;
  #beats!: number;
  readonly #rate: ExactRate;
  readonly #run: (info: StepInfo) => void;
  readonly #frame: FrameInfo;
  readonly #info: Writable<StepInfo>;

  constructor(rate: ExactRate, run: (info: StepInfo) => void, frame: FrameInfo) {
    this.#rate = rate;
    this.#run = run;
    this.#frame = frame;
    this.#info = { tick: 0, dt: rate[1] / rate[0], time: 0.5 };
  }

  get alpha(): number {
    const beats = (this.#frame.shownTime * this.#rate[0]) / this.#rate[1];
    return Math.min(1, Math.max(0, beats - this.tick + 1));
  }

  dispose(): void {
    this.disposed = true;
  }

  /** Starts after the beats of a step (-1: before all), in the phase it would have had from the start. */
  join([numerator, denominator]: ExactRate, after: number): void {
    this.#steps = numerator * this.#rate[1];
    this.#beats = denominator * this.#rate[0];
    this.#schedule(after < 0 ? 0 : mulDiv(after, this.#beats, this.#steps) + 1);
  }

  #schedule(tick: number): void {
    this.tick = tick;
    this.#due = mulDiv(tick, this.#steps, this.#beats);
    this.#late = 0;
    if (remainder[0]! > 0) {
      // Round up.
      this.#due++;
      this.#late = this.#beats - remainder[0]!;
    }
  }

  run(): void {
    const info = this.#info;
    info.tick = this.tick;
    info.time = (this.tick * this.#rate[1]) / this.#rate[0];
    const outer = stepInProgress.rate;
    stepInProgress.rate = this.#rate;
    try {
      requireSynchronous("Loop.every: run", this.#run(info));
    } finally {
      stepInProgress.rate = outer;
    }
    this.#schedule(this.tick + 1);
  }

  /** Whether the beat is due before a step, and earlier than another beat that is due. */
  isBefore(step: number, other: PhasedBeat | undefined): boolean {
    if (this.disposed || this.#due > step) return false;
    // other.late / other.beats < this.late / this.beats, exactly, as products could exceed 2^53.
    return !other || mulDiv(other.#late, this.#beats, other.#beats) < this.#late;
  }
}

/** Runs all beats that are due before a step, in order of exact time, then of declaration. */
export function runBeats(beats: readonly PhasedBeat[], step: number): void {
  for (;;) {
    let first: PhasedBeat | undefined;
    for (const beat of beats) if (beat.isBefore(step, first)) first = beat;
    if (!first) return;
    first.run();
  }
}
