import { badValue, requireArguments, requireNumber, requireOptions } from "../../errors/index.js";
import { MAX_SCALE, MAX_SETTING } from "../units.js";
import { EasedCourse, requireEasing, Sequence, type Course, type Easing } from "./course.js";

/** A change of the time scale over some real time. Create one with `ramp` or `slowMotion`. */
export interface Ramp {
  /** Starts it at a scale. `before` is the scale that was set before. @internal */
  begin(from: number, before: number): Course;
}

/** Changes the time scale to `scale` over `seconds` of real time, evenly or along an easing: `timeScale(loop).set(ramp(0.2, 0.5))`. */
export function ramp(scale: number, seconds: number, easing: Easing = "linear"): Ramp {
  requireArguments("ramp", arguments.length, 3);
  requireNumber("ramp: scale", scale, 0, MAX_SCALE, 0.2);
  requireNumber("ramp: seconds", seconds, 0, MAX_SETTING, 0.5);
  requireEasing("ramp: easing", easing);
  return { begin: (from) => new EasedCourse(from, scale, seconds, easing) };
}

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

/** Seconds by which parts may be longer than their sum, because of rounding. */
const ROUNDING = 1e-9;

/**
 * Runs the game at another speed for `seconds` of real time, and then at the speed that was set before:
 * `timeScale(loop).set(slowMotion(0.3, 2, { easeIn: 0.1, easeOut: 0.5 }))`.
 */
export function slowMotion(scale: number, seconds: number, options: SlowMotionOptions = {}): Ramp {
  requireOptions("slowMotion", options, OPTIONS, "{ easeIn: 0.1, easeOut: 0.5 }");
  const { easeIn = 0, easeOut = 0, easing = "easeInOut" } = options;
  requireNumber("slowMotion: scale", scale, 0, MAX_SCALE, 0.3);
  requireNumber("slowMotion: seconds", seconds, 0, MAX_SETTING, 2);
  requireNumber("slowMotion: easeIn", easeIn, 0, seconds, 0);
  const left = Math.max(0, seconds - easeIn);
  if (!(typeof easeOut === "number" && easeOut >= 0 && easeOut <= left + ROUNDING))
    badValue(
      "slowMotion: easeOut",
      `a number from 0 to seconds − easeIn (${Math.round(left * 1e9) / 1e9})`,
      easeOut,
      0,
    );
  requireEasing("slowMotion: easing", easing);
  return {
    begin: (from, before) =>
      new Sequence([
        new EasedCourse(from, scale, easeIn, easing),
        new EasedCourse(scale, scale, Math.max(0, left - easeOut), "linear"),
        new EasedCourse(scale, before, easeOut, easing),
      ]),
  };
}
