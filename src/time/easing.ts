import { badValue } from "../errors/index.js";

/** How a time scale changes along a ramp: evenly, or with a gentle start, end or both. */
export type Easing = "linear" | "easeIn" | "easeOut" | "easeInOut";

/** An easing as a function of time. */
export interface EasingCurve {
  /** How much of the change is done after a part of the time. Both are 0 to 1. */
  readonly at: (part: number) => number;
  /** The integral of `at` from 0. */
  readonly sum: (part: number) => number;
}

const CURVES: { readonly [E in Exclude<Easing, "linear">]: EasingCurve } = {
  easeIn: { at: (u) => u * u, sum: (u) => (u * u * u) / 3 },
  easeOut: { at: (u) => u * (2 - u), sum: (u) => u * u * (1 - u / 3) },
  easeInOut: { at: (u) => u * u * (3 - 2 * u), sum: (u) => u * u * u * (1 - u / 2) },
};

/** Returns the curve of an easing; undefined for "linear", which ramps compute exactly. */
export function curveOf(subject: string, easing: Easing): EasingCurve | undefined {
  if (easing === "linear") return undefined;
  // Not `in`, as "toString" is in every object.
  if (!Object.keys(CURVES).includes(easing))
    badValue(subject, '"linear", "easeIn", "easeOut" or "easeInOut"', easing, '"easeInOut"');
  return CURVES[easing];
}
