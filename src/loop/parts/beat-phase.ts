import { mulDiv, remainder } from "../mul-div.js";
import type { ExactRate } from "../rate.js";

/**
 * When steps begin: step n, from `origin` on, at (n × denominator + offset) / numerator seconds. Only the offset may have a
 * fraction, after a change of the rate.
 */
export interface StepTimes {
  readonly rate: ExactRate;
  readonly origin?: number;
  readonly offset?: number;
}

/**
 * When a beat is due: beat k of rate b runs just before the first step that begins at k / b seconds or later. Time is counted
 * in whole units, of which a step and a beat have a whole number each, so the phase is exact forever.
 */
export class BeatPhase {
  /** Number of the next beat. */
  tick = 0;
  /** Set to end the beat. */
  isOver = false;
  /** The step before which the next beat runs, and how late the beat is by then, in units. */
  #due = 0;
  #late = 0;
  /** The step before which the last beat ran, as if all steps since had their present length; NaN before the first one. */
  #last = NaN;
  /** Units of a step and of a beat. */
  #step = 1;
  #beat = 1;
  readonly #rate: ExactRate;

  constructor(rate: ExactRate) {
    this.#rate = rate;
  }

  /** Starts after the beats of a step (-1: before all), in the phase it would have had from the start. */
  join(times: StepTimes, after: number): void {
    this.#last = NaN;
    const step = Math.max(after, times.origin ?? 0);
    const last = this.#beatAt(times, step);
    // Before the first step at this rate, a beat of the same moment has not run yet.
    this.tick = step > after && remainder[0] === 0 ? last : last + 1;
    this.#place(step, (this.tick - last) * this.#beat - remainder[0]!);
  }

  /** Keeps its next beat, and its progress at `shown`, after the times of the steps from `step` on have changed. */
  follow(times: StepTimes, step: number, shown: number): void {
    const progress = this.progressAt(shown);
    const ahead = this.tick - this.#beatAt(times, step);
    this.#place(step, ahead * this.#beat - remainder[0]!);
    this.#last = progress < 1 ? (shown - progress * this.#due) / (1 - progress) : NaN;
  }

  /** Returns how much of the way from the last beat to the next lies before `steps`, a time in steps; 1 before the first beat. */
  progressAt(steps: number): number {
    const length = this.#due - this.#last;
    if (!(length > 0)) return 1;
    return Math.min(1, Math.max(0, (steps - this.#last) / length));
  }

  /** Goes on to the next beat. */
  next(): void {
    this.tick++;
    this.#last = this.#due;
    this.#place(this.#due, this.#beat - this.#late);
  }

  /** Whether the beat is due before a step, and earlier than another beat that is due. */
  isBefore(step: number, other: BeatPhase | undefined): boolean {
    if (this.isOver || this.#due > step) return false;
    // other.late / other.step < this.late / this.step, exactly, as products could exceed 2^53.
    return !other || mulDiv(other.#late, this.#step, other.#step) < this.#late;
  }

  /** Returns the number of the last beat that is due before a step begins; `remainder` has the units since then. */
  #beatAt({ rate: [numerator, denominator], offset = 0 }: StepTimes, step: number): number {
    // After a change of the rate, steps may begin between whole units.
    const parts = offset % 1 === 0 ? 1 : 1000;
    this.#step = denominator * this.#rate[0] * parts;
    this.#beat = numerator * this.#rate[1] * parts;
    return mulDiv(Math.round((step * denominator + offset) * parts), this.#rate[0], this.#beat);
  }

  /** Sets the step before which the next beat runs, which is `units` after another step. */
  #place(step: number, units: number): void {
    const steps = units > 0 ? Math.ceil(units / this.#step) : 0;
    this.#due = step + steps;
    this.#late = steps * this.#step - units;
  }
}

/** Returns the beat that runs next before a step: in order of exact time, then of declaration. */
export function nextBeat<B extends { readonly phase: BeatPhase }>(
  beats: readonly B[],
  step: number,
): B | undefined {
  let first: B | undefined;
  for (const beat of beats) if (beat.phase.isBefore(step, first?.phase)) first = beat;
  return first;
}
