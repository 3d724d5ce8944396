import { gcd, mulDiv, remainder, type ExactRate } from "../time/index.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";

/** A further rate in the same loop, in exact phase with the steps. */
export interface Beat {
  /** The next beat's number; for a beat declared before the first step, the count of beats run. */
  readonly tick: number;
  /** Where the picture lies between the last beat but one (0) and the last one (1). */
  readonly alpha: number;
  /** Ends the beat. */
  dispose(): void;
}

/**
 * Beat k of rate b runs just before the first step n with n / rate ≥ k / b. Its phase is
 * n / rate − k / b as a whole number: `#gain` more for each step, `#cost` less for each beat. So it
 * stays exact for ever.
 */
export class PhasedBeat implements Beat {
  tick = 0;
  phase = 0;
  #gain = 0;
  #cost = 0;
  disposed = false;
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

  /** Takes the phase it has before a step, or after its beats, as if it had been there from the start. */
  join(loopRate: ExactRate, step: number, inStep = false): void {
    const gain = loopRate[1] * this.#rate[0];
    const cost = loopRate[0] * this.#rate[1];
    const divisor = gcd(gain, cost);
    this.#gain = gain / divisor;
    this.#cost = cost / divisor;
    this.tick = this.phase = 0;
    const passed = inStep ? step : step - 1;
    if (passed < 0) return;
    this.tick = mulDiv(passed, this.#gain, this.#cost) + 1;
    this.phase = remainder - this.#cost;
    if (!inStep) this.pass();
  }

  /** A step has been run. */
  pass(): void {
    this.phase += this.#gain;
  }

  run(): void {
    const info = this.#info;
    info.tick = this.tick;
    info.time = (this.tick * this.#rate[1]) / this.#rate[0];
    this.#run(info);
    this.tick++;
    this.phase -= this.#cost;
  }

  /** Whether it is due, and its time is before that of another that is due. */
  isBefore(other: PhasedBeat | undefined): boolean {
    if (this.disposed || this.phase < 0) return false;
    return !other || isLess(other.phase, other.#gain, this.phase, this.#gain);
  }
}

/** The beats of a loop. */
export class Beats {
  #beats: readonly PhasedBeat[] = [];

  /** Adds a beat whose first may run before a given step. */
  add(beat: PhasedBeat): void {
    this.#beats = [...this.#beats.filter((old) => !old.disposed), beat];
  }

  /** Runs all that are due, in order of their exact time, then of declaration. */
  run(): void {
    for (;;) {
      let first: PhasedBeat | undefined;
      for (const beat of this.#beats) if (beat.isBefore(first)) first = beat;
      if (!first) return;
      first.run();
    }
  }

  /** A step has been run. */
  pass(): void {
    for (const beat of this.#beats) beat.pass();
  }

  restart(rate: ExactRate): void {
    for (const beat of this.#beats) beat.join(rate, 0);
  }
}

/** Whether a / b < c / d, exactly: as products they could pass 2^53. */
function isLess(a: number, b: number, c: number, d: number): boolean {
  const left = Math.floor(a / b);
  const right = Math.floor(c / d);
  if (left !== right) return left < right;
  const leftRest = a - left * b;
  const rightRest = c - right * d;
  if (rightRest === 0) return false;
  return leftRest === 0 || isLess(d, rightRest, b, leftRest);
}
