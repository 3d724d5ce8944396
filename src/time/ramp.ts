import { requireArguments, requireNumber } from "../errors/index.js";
import { billionths } from "./billionths.js";
import type { Course } from "./course.js";
import { EasedCourse } from "./eased-course.js";
import { curveOf, type Easing } from "./easing.js";
import { EvenCourse } from "./even-course.js";
import { MAX_SETTING, SECOND } from "./units.js";

/** A change of the time scale over some real time. Create one with `ramp` or `slowMotion`. */
export interface Ramp {
  /** Starts it at a scale, in billionths. `before` is the scale that was set before. */
  begin(from: number, before: number): Course;
}

/**
 * Changes `timeScale` to `scale` over `seconds` of real time: `loop.timeScale = ramp(0.2, 0.5)`. Evenly, or along an easing:
 * `ramp(0.2, 0.5, "easeOut")`.
 */
export function ramp(scale: number, seconds: number, easing: Easing = "linear"): Ramp {
  requireArguments("ramp", arguments.length, 3);
  const target = billionths("ramp: scale", scale);
  requireNumber("ramp: seconds", seconds, 0, MAX_SETTING, 0.5);
  const curve = curveOf("ramp: easing", easing);
  const length = Math.round(seconds * SECOND);
  return {
    begin: (from) =>
      curve ? new EasedCourse(from, target, length, curve) : new EvenCourse(from, target, length),
  };
}
