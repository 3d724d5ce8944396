/**
 * Stepping strategies other than the exact accumulator, for loops that need no determinism.
 *
 * @packageDocumentation
 */

import type { StepInfo, Writable } from "./info.js";
import { badValue, requireNumber, requireType } from "../errors/index.js";
import { MAX_SETTING, SECOND, type ExactRate } from "../time/index.js";

/**
 * How a frame's virtual time becomes steps, for loops that do not want the accumulator. None of
 * these is deterministic: what a step simulates, or how many there are, depends on the display. Made
 * by the functions below; not for you to write.
 */
export interface Stepping {
  plan(rate: ExactRate): StepPlan;
}

/** What one loop follows. It answers all that a loop asks, so that a loop without one need not ship answers. */
export interface StepPlan {
  /** Takes a frame's nanoseconds and says how many steps are due. */
  take(time: number): number;
  /** Simulated seconds. */
  readonly time: number;
  /** Tells the next step its `dt` and `time`: one that is due, or else one of `1 / rate`. */
  describe(info: Writable<StepInfo>): void;
  /** That step has been run. */
  pass(): void;
  /** Seconds simulated since it was asked last. */
  moved(): number;
  /** Makes the frame not have been. */
  revert(): void;
  /** Gives up so many due steps, and says how many nanoseconds they had. */
  skip(steps: number): number;
}

/** One step of `1 / rate` a frame, however long the frame was: game speed follows the display. */
export function onePerFrame(): Stepping {
  return { plan: (rate) => new Single(rate) };
}

/** One step as long as the frame was. Under `min` seconds time is saved up; over `max` it is split. */
export function variable(range: { readonly min?: number; readonly max?: number } = {}): Stepping {
  requireType("variable: range", range, "object", "{ min: 1 / 240, max: 1 / 30 }");
  const { min = 0, max = MAX_SETTING } = range;
  requireNumber("variable: max", max, 1e-6, MAX_SETTING, "1 / 30");
  requireNumber("variable: min", min, 0, max, "1 / 240");
  return { plan: (rate) => new Parts(rate, min, max, true) };
}

/** Steps of at most `1 / rate`: whole ones and then the remainder, or all of even length. */
export function semiFixed(options: { readonly split?: "remainder" | "even" } = {}): Stepping {
  requireType("semiFixed: options", options, "object", '{ split: "even" }');
  const { split = "remainder" } = options;
  if (split !== "remainder" && split !== "even")
    badValue("semiFixed: split", '"remainder" or "even"', split, '"even"');
  return { plan: (rate) => new Parts(rate, 0, rate[1] / rate[0], split === "even") };
}

/** A step a frame. Told its `dt` and `time` by the loop already; one that is not run never had any time. */
class Single implements StepPlan {
  readonly #rate: ExactRate;
  #tick = 0;
  #told = 0;

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
    const steps = this.#tick - this.#told;
    this.#told = this.#tick;
    return (steps * this.#rate[1]) / this.#rate[0];
  }

  revert(): void {}

  skip(): number {
    return 0;
  }
}

/** Splits a frame's time into parts of at most `longest` seconds, none under `least`. */
class Parts implements StepPlan {
  readonly #dt: number;
  readonly #longest: number;
  readonly #least: number;
  readonly #most: number;
  readonly #even: boolean;
  /** Nanoseconds simulated, how many of them `moved` has told, of the step that is running, saved up, and saved up before. */
  #simulated = 0;
  #told = 0;
  #running = 0;
  #saved = 0;
  #savedBefore = 0;
  /** The parts of this frame: how many are left, and how long they are. */
  #count = 0;
  #length = 0;
  /** What the last part has beyond that; of even parts, how many have a nanosecond more. */
  #extra = 0;

  constructor(rate: ExactRate, least: number, longest: number, even: boolean) {
    this.#dt = rate[1] / rate[0];
    this.#longest = longest;
    // Up: a frame of just the longest step must not leave a nanosecond over.
    this.#most = Math.ceil(longest * SECOND);
    this.#least = Math.round(least * SECOND);
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
    this.#count = Math.ceil(total / this.#most);
    this.#length = this.#most;
    this.#extra = total - this.#count * this.#most;
    if (this.#count === 0) return 0;
    const even = Math.floor(total / this.#count);
    if (this.#even && even >= this.#least) {
      this.#length = even;
      this.#extra = total - this.#count * even;
    } else if (this.#most + this.#extra < this.#least) {
      this.#saved = this.#most + this.#extra;
      this.#extra = 0;
      this.#count--;
    }
    return this.#count;
  }

  describe(info: Writable<StepInfo>): void {
    this.#running = this.#count > 0 ? this.#next() : Math.round(this.#dt * SECOND);
    info.dt = Math.min(this.#running / SECOND, this.#longest);
    info.time = this.time;
  }

  pass(): void {
    this.#simulated += this.#running;
  }

  moved(): number {
    const moved = this.#simulated - this.#told;
    this.#told = this.#simulated;
    return moved / SECOND;
  }

  skip(steps: number): number {
    let time = 0;
    for (let i = 0; i < steps; i++) time += this.#next();
    return time;
  }

  /** Takes the next part, and says how long it is. */
  #next(): number {
    this.#count--;
    if (this.#extra > 0) {
      this.#extra--;
      return this.#length + 1;
    }
    return this.#count === 0 ? this.#length + this.#extra : this.#length;
  }
}
