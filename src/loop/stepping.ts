/**
 * The article's other ways to turn time into steps, for loops that do not need determinism.
 *
 * @packageDocumentation
 */

import { badValue, requireArguments, requireNumber, requireOptions } from "../errors/index.js";
import type { ExactRate } from "./rate.js";
import { MAX_SETTING } from "./units.js";
import { FixedStep, type Stepper } from "./fixed-step.js";
import type { StepInfo, Writable } from "./info.js";
import type { Kernel } from "./kernel.js";

/** Creates what turns a loop's time into steps. None of these is deterministic: steps depend on the display. */
export type Stepping = (rate: ExactRate) => Kernel;

/** Runs one step of `1 / rate` per frame, however long the frame was: game speed follows the display. */
export function onePerFrame(): Stepping {
  requireArguments("onePerFrame", arguments.length, 0);
  return (rate) => new OnePerFrame(rate);
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
  return (rate) => new SplitFrame(rate, min, max, true);
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
  return (rate) => new SplitFrame(rate, 0, rate[1] / rate[0], split === "even");
}

/** What these kernels share with the fixed one: units, ticks and forced steps. They show the newest state. */
class NewestState extends FixedStep {
  readonly showsNewest = true;
  override alpha = 1;

  override show(): void {
    this.shownTime = this.timeAt(this.tick);
  }

  override describe(step: Writable<StepInfo>): void {
    super.describe(step);
    step.time = this.timeAt(this.tick);
  }
}

/** One step per frame. */
class OnePerFrame extends NewestState {
  override run(steps: Stepper): void {
    if (this.owed > 0 && steps.mayStep()) this.force(steps);
    this.owed = 0;
  }
}

/** Splits a frame's time into steps of `min` to `max` seconds. */
class SplitFrame extends NewestState {
  override dt: number;
  /** Units simulated. */
  private simulated = 0;
  /** Whether the time that is owed is too short for a step, and waits for the next frame. */
  private isSavedUp = false;
  private readonly usual: number;

  constructor(
    rate: ExactRate,
    private readonly min: number,
    private readonly max: number,
    private readonly isEven: boolean,
  ) {
    super(rate);
    this.usual = this.dt = rate[1] / rate[0];
  }

  override run(steps: Stepper): void {
    const { second } = this;
    const max = Math.round(this.max * second);
    const min = Math.round(this.min * second);
    let count = Math.ceil(this.owed / max);
    const isEven = this.isEven && Math.floor(this.owed / (count || 1)) >= min;
    this.isSavedUp = false;
    for (; count > 0 && steps.mayStep(); count--) {
      const length = isEven ? Math.round(this.owed / count) : Math.min(this.owed, max);
      this.isSavedUp = length < min;
      if (this.isSavedUp || length === 0) return;
      this.take(length, Math.min(length / second, this.max), steps);
      this.owed -= length;
    }
  }

  override force(steps: Stepper): void {
    this.take(Math.round(this.usual * this.second), this.usual, steps);
  }

  private take(length: number, dt: number, steps: Stepper): void {
    this.dt = dt;
    steps.step();
    this.simulated += length;
    this.tick++;
    steps.stepped();
  }

  /** All that is left of a frame whose steps have ended. */
  override drop(): number {
    const { owed } = this;
    if (this.isSavedUp) return 0;
    this.owed = 0;
    return owed;
  }

  /** Only the current time is known. */
  override timeAt(): number {
    return this.simulated / this.second;
  }
}
