/**
 * Stepping strategies other than the exact accumulator, for loops that do not need determinism.
 *
 * @packageDocumentation
 */

import type { StepInfo, Writable } from "./info.js";
import { badValue, requireArguments, requireNumber, requireOptions } from "../errors/index.js";
import { MAX_SETTING, SECOND, type ExactRate } from "../time/index.js";

/**
 * Turns a frame's virtual time into steps, instead of the accumulator. No stepping is deterministic: the length or the
 * number of steps depends on the display. Create one with `onePerFrame`, `variable` or `semiFixed`.
 */
export interface Stepping {
  plan(rate: ExactRate): StepPlan;
}

/** The stepping of one loop. It does all of the work, so that bundlers can drop it from loops without one. */
export interface StepPlan {
  /** Takes a frame's nanoseconds. Returns the steps that are due. */
  take(time: number): number;
  /** Simulated seconds. */
  readonly time: number;
  /** Sets `dt` and `time` of the next step. If none is due, its length is `1 / rate`. */
  describe(info: Writable<StepInfo>): void;
  /** Called after that step has run. */
  pass(): void;
  /** Returns the seconds simulated since the last call. */
  moved(): number;
  /** Undoes the current frame. */
  revert(): void;
  /** Discards due steps. Returns their nanoseconds. */
  skip(steps: number): number;
}

/** Runs one step of `1 / rate` per frame, however long the frame was: game speed follows the display. */
export function onePerFrame(): Stepping {
  requireArguments("onePerFrame", arguments.length, 0);
  return { plan: (rate) => new Single(rate) };
}

/** Options of `variable`. */
export interface VariableOptions {
  /** Minimum seconds of a step: shorter frames are saved up. Default 0. */
  readonly min?: number | undefined;
  /** Maximum seconds of a step: longer frames are split. Default 3600. */
  readonly max?: number | undefined;
}

/** Runs one step as long as the frame was. */
export function variable(options: VariableOptions = {}): Stepping {
  const names = Object.keys({ min: 1, max: 1 } satisfies Record<keyof VariableOptions, 1>);
  requireOptions("variable", options, names, "{ min: 1 / 240, max: 1 / 30 }");
  const { min = 0, max = MAX_SETTING } = options;
  requireNumber("variable: max", max, 1e-6, MAX_SETTING, "1 / 30");
  requireNumber("variable: min", min, 0, max, "1 / 240");
  return { plan: (rate) => new Parts(rate, min, max, true) };
}

/** Options of `semiFixed`. */
export interface SemiFixedOptions {
  /** Whether a frame is split into whole steps and a remainder, or into steps of even length. Default "remainder". */
  readonly split?: "remainder" | "even" | undefined;
}

/** Runs steps of at most `1 / rate`, which together are as long as the frame. */
export function semiFixed(options: SemiFixedOptions = {}): Stepping {
  const names = Object.keys({ split: 1 } satisfies Record<keyof SemiFixedOptions, 1>);
  requireOptions("semiFixed", options, names, '{ split: "even" }');
  const { split = "remainder" } = options;
  if (split !== "remainder" && split !== "even")
    badValue("semiFixed: split", '"remainder" or "even"', split, '"even"');
  return { plan: (rate) => new Parts(rate, 0, rate[1] / rate[0], split === "even") };
}

/** One step per frame. The loop itself sets `dt` and `time`. A step that does not run takes no time. */
class Single implements StepPlan {
  readonly #rate: ExactRate;
  #tick = 0;
  /** Steps that `moved` has returned. */
  #reported = 0;

  constructor(rate: ExactRate) {
    this.#rate = rate;
  }

  get time(): number {
    return (this.#tick * this.#rate[1]) / this.#rate[0];
  }

  take(time: number): number {
    return time > 0 ? 1 : 0;
  }

  describe(): void {}

  pass(): void {
    this.#tick++;
  }

  moved(): number {
    const steps = this.#tick - this.#reported;
    this.#reported = this.#tick;
    return (steps * this.#rate[1]) / this.#rate[0];
  }

  revert(): void {}

  skip(): number {
    return 0;
  }
}

/** Splits a frame's time into parts of `min` to `max` seconds. */
class Parts implements StepPlan {
  readonly #dt: number;
  readonly #max: number;
  readonly #minNs: number;
  readonly #maxNs: number;
  readonly #even: boolean;
  // All in nanoseconds.
  #simulated = 0;
  /** How much of that `moved` has returned. */
  #reported = 0;
  /** Length of the current step. */
  #running = 0;
  /** Time of frames that were too short for a step; the same before the current frame. */
  #saved = 0;
  #savedBefore = 0;
  /** The parts of this frame that are left, and their length. */
  #count = 0;
  #length = 0;
  /** What the last part has beyond that, which may be negative; of even parts, how many are a nanosecond longer. */
  #extra = 0;

  constructor(rate: ExactRate, min: number, max: number, even: boolean) {
    this.#dt = rate[1] / rate[0];
    this.#max = max;
    // Rounded up: a frame of exactly one longest step must not leave a nanosecond over.
    this.#maxNs = Math.ceil(max * SECOND);
    this.#minNs = Math.round(min * SECOND);
    this.#even = even;
  }

  get time(): number {
    return this.#simulated / SECOND;
  }

  revert(): void {
    this.#saved = this.#savedBefore;
    this.#count = 0;
  }

  take(time: number): number {
    const total = this.#saved + time;
    this.#savedBefore = this.#saved;
    this.#saved = 0;
    this.#count = Math.ceil(total / this.#maxNs);
    this.#length = this.#maxNs;
    this.#extra = total - this.#count * this.#maxNs;
    if (this.#count === 0) return 0;
    const even = Math.floor(total / this.#count);
    if (this.#even && even >= this.#minNs) {
      this.#length = even;
      this.#extra = total - this.#count * even;
    } else if (this.#maxNs + this.#extra < this.#minNs) {
      this.#saved = this.#maxNs + this.#extra;
      this.#extra = 0;
      this.#count--;
    }
    return this.#count;
  }

  describe(info: Writable<StepInfo>): void {
    this.#running = this.#count > 0 ? this.#next() : Math.round(this.#dt * SECOND);
    info.dt = Math.min(this.#running / SECOND, this.#max);
    info.time = this.time;
  }

  pass(): void {
    this.#simulated += this.#running;
  }

  moved(): number {
    const moved = this.#simulated - this.#reported;
    this.#reported = this.#simulated;
    return moved / SECOND;
  }

  skip(steps: number): number {
    let time = 0;
    for (let i = 0; i < steps; i++) time += this.#next();
    return time;
  }

  /** Takes the next part and returns its length. */
  #next(): number {
    this.#count--;
    if (this.#extra > 0) {
      this.#extra--;
      return this.#length + 1;
    }
    return this.#count === 0 ? this.#length + this.#extra : this.#length;
  }
}
