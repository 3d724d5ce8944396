import { badValue, requireNumber, requireOptions } from "../errors/index.js";
import type { Course } from "./course.js";
import type { Easing } from "./easing.js";
import { ramp, type Ramp } from "./ramp.js";
import { MAX_SETTING, ONE, SECOND } from "./units.js";

/** Options of `slowMotion`. */
export interface SlowMotionOptions {
  /** Seconds, of `seconds`, in which the scale is reached. Default 0: at once. */
  readonly easeIn?: number | undefined;
  /** Seconds, of `seconds`, in which the loop returns to the speed before. Default 0: at once. */
  readonly easeOut?: number | undefined;
  /** How the scale changes meanwhile. Default "easeInOut". */
  readonly easing?: Easing | undefined;
}

const OPTIONS = Object.keys({ easeIn: 1, easeOut: 1, easing: 1 } satisfies Record<
  keyof SlowMotionOptions,
  1
>);

/**
 * Runs the game at another speed for `seconds` of real time, and then at the speed that was set before:
 * `loop.timeScale = slowMotion(0.3, 2, { easeIn: 0.1, easeOut: 0.5 })`.
 */
export function slowMotion(scale: number, seconds: number, options: SlowMotionOptions = {}): Ramp {
  requireOptions("slowMotion", options, OPTIONS, "{ easeIn: 0.1, easeOut: 0.5 }");
  const { easeIn = 0, easeOut = 0, easing = "easeInOut" } = options;
  requireNumber("slowMotion: scale", scale, 0, 1000, 0.3);
  requireNumber("slowMotion: seconds", seconds, 0, MAX_SETTING, 2);
  if (!fits(easeIn, seconds)) requireNumber("slowMotion: easeIn", easeIn, 0, seconds, 0);
  const left = Math.round((seconds - easeIn) * SECOND) / SECOND;
  if (!fits(easeOut, seconds - easeIn))
    badValue("slowMotion: easeOut", `a number from 0 to seconds − easeIn (${left})`, easeOut, 0);
  const slower = ramp(scale, easeIn, easing);
  const steady = ramp(scale, Math.max(0, seconds - easeIn - easeOut));
  return {
    begin: (from, before) =>
      new Sequence(from, before, [slower, steady, ramp(before / ONE, easeOut, easing)]),
  };
}

/** Whether a part takes at most `max` seconds, in whole nanoseconds as ramps count: 0.2 fits 0.3 − 0.1, which is a bit less. */
function fits(part: unknown, max: number): boolean {
  return typeof part === "number" && part >= 0 && Math.round((part - max) * SECOND) <= 0;
}

/** Several ramps, one after the other. */
class Sequence implements Course {
  readonly target: number;
  readonly #parts: readonly Course[];
  #now = 0;

  constructor(from: number, before: number, ramps: readonly Ramp[]) {
    const parts: Course[] = [];
    let scale = from;
    for (const next of ramps) {
      const part = next.begin(scale, before);
      parts.push(part);
      scale = part.target;
    }
    this.#parts = parts;
    this.target = scale;
    this.#skipEnded();
  }

  get left(): number {
    return this.#parts.reduce((sum, { left }) => sum + left, 0);
  }

  get virtualLeft(): number {
    return this.#parts.reduce((sum, { virtualLeft }) => sum + virtualLeft, 0);
  }

  get scale(): number {
    return this.#parts[this.#now]!.scale;
  }

  advance(real: number): number {
    let virtual = 0;
    let time = real;
    while (time > 0) {
      const part = this.#parts[this.#now]!;
      const taken = Math.min(time, part.left);
      virtual += part.advance(taken);
      time -= taken;
      this.#skipEnded();
    }
    return virtual;
  }

  #skipEnded(): void {
    while (this.#parts[this.#now]!.left === 0 && this.#now < this.#parts.length - 1) this.#now++;
  }

  realFor(virtual: number): number {
    let [real, time] = [0, virtual];
    for (const part of this.#parts) {
      if (time < part.virtualLeft) return real + part.realFor(time);
      real += part.left;
      time -= part.virtualLeft;
    }
    return real;
  }
}
