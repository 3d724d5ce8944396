import { requireNumber } from "../../errors/index.js";
import { MAX_SCALE, MAX_SETTING, ONE } from "../units.js";
import { mulDiv, remainder } from "../mul-div.js";
import type { RateInfo } from "../info.js";
import type { Loop } from "../loop.js";
import type { FrameTime, Part } from "../part.js";
import type { Course } from "./course.js";
import { onePerLoop } from "./one-per-loop.js";
import type { Ramp } from "./ramp.js";

/** Bisections after which an inverse is exact to a nanosecond. */
const BISECTIONS = 45;

/**
 * Turns real time into virtual time: hit-stop, time scale, ramps between scales, and a pace on top of them. `timeScale(loop)`
 * returns the one of a loop. `dt` is never scaled: steps come less often, or more often.
 */
export class TimeScale implements Part {
  readonly name = "timeScale";
  /** The scale in billionths; during a ramp, the one at its end. */
  #target = ONE;
  #pace = ONE;
  #course: Course | undefined;
  /** Real units until the end of a hit-stop. */
  #stopped = 0;
  /** What scaling carries over: billionths of a unit, and a fraction of a unit along ramps. */
  #over = 0;
  #rest = 0;
  readonly #loop: Loop;

  /** @internal Created by `timeScale`. */
  constructor(loop: Loop) {
    this.#loop = loop;
  }

  /** Virtual seconds per real second, as set or as a ramp has it now; pauses and hit-stops do not change it. */
  get value(): number {
    return this.#course ? this.#course.scale : this.#target / ONE;
  }

  /** Sets the scale from the next frame on: at once, along a `ramp`, or for some time with `slowMotion`. */
  set(scale: number | Ramp): void {
    const begin = (scale as Partial<Ramp> | null)?.begin;
    if (typeof begin !== "function") requireNumber("TimeScale.set: scale", scale, 0, MAX_SCALE, 0.5);
    this.#course = typeof scale === "number" ? undefined : scale.begin(this.value, this.#target / ONE);
    this.#target = Math.round((this.#course?.target ?? (scale as number)) * ONE);
  }

  /** A factor from 0.5 to 2 on top of the scale, as sessions ask for. Default 1. */
  get pace(): number {
    return this.#pace / ONE;
  }
  set pace(pace: number) {
    requireNumber("TimeScale.pace", pace, 0.5, 2, 1);
    this.#pace = Math.round(pace * ONE);
  }

  /**
   * Freezes the game for `seconds` of real time, then continues at the same speed: frames go on, steps do not. Inside a step, it
   * ends the steps of the frame. A longer hit-stop that goes on already stays; a ramp waits meanwhile.
   */
  hitStop(seconds: number): void {
    requireNumber("TimeScale.hitStop: seconds", seconds, 0, MAX_SETTING, 0.1);
    this.#stopped = Math.max(this.#stopped, Math.round(seconds * this.#loop.kernel.second));
    if (seconds > 0) this.#loop.endSteps(true);
  }

  /** Seconds of real time until the end of a hit-stop. */
  get stopped(): number {
    return this.#stopped / this.#loop.kernel.second;
  }

  get speed(): number {
    return this.#stopped > 0 ? 0 : this.value * this.pace;
  }
  get maxSpeed(): number {
    return Math.max(this.#target / ONE, this.#course?.max ?? 0) * this.pace;
  }

  scale(time: FrameTime): void {
    const held = Math.min(this.#stopped, time.units);
    this.#stopped -= held;
    let real = time.units - held;
    let virtual = 0;
    if (this.#course && real > 0) {
      const { second } = this.#loop.kernel;
      const length = Math.min(real, Math.round(this.#course.left * second));
      const exact = this.#course.advance(length / second) * second * this.pace + this.#rest;
      virtual = Math.round(exact);
      this.#rest = exact - virtual;
      real -= length;
      if (this.#course.left * second < 0.5) this.#course = undefined;
    }
    if (real > 0) virtual += this.#scaled(real);
    time.units = virtual;
  }

  /** Returns virtual units at the set scale, and carries the fraction over. */
  #scaled(real: number): number {
    const factor = this.#pace === ONE ? this.#target : Math.round((this.#target * this.#pace) / ONE);
    const virtual = mulDiv(real, factor, ONE);
    const over = this.#over + remainder[0]!;
    this.#over = over % ONE;
    return over < ONE ? virtual : virtual + 1;
  }

  /** Returns the real seconds until virtual seconds have passed. */
  unscale(seconds: number): number {
    const course = this.#course;
    const virtual = seconds / this.pace;
    if (!(virtual > 0)) return this.value === 0 ? Infinity : virtual / this.value;
    const total = course ? course.virtualFor(course.left) : 0;
    if (!course || virtual > total)
      return this.stopped + (course?.left ?? 0) + (virtual - total) / (this.#target / ONE);
    let [low, high] = [0, course.left];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      if (course.virtualFor(middle) < virtual) low = middle;
      else high = middle;
    }
    return this.stopped + high;
  }

  reset(): void {
    this.#stopped = this.#over = this.#rest = 0;
    this.#course = undefined;
  }

  rate({ units }: RateInfo): void {
    this.#stopped = Math.round(this.#stopped * units);
  }
}

/** Returns the time scale of a loop. */
export const timeScale = onePerLoop("timeScale", (loop) => {
  const part = new TimeScale(loop);
  loop.use(part);
  return part;
});
