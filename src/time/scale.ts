import { requireNumber } from "./refuse.js";

/** Time scales are held in whole billionths. */
export const ONE = 1e9;

/** The most seconds of any setting, and the largest scale: together they keep scaled time below 2^53 ns. */
export const LONGEST_SETTING = 3600;
const LARGEST_SCALE = 1000;

/** A time scale in whole billionths, or an error. */
export function billionths(subject: string, scale: unknown): number {
  requireNumber(subject, scale, 0, LARGEST_SCALE, 0.5);
  return Math.round(scale * ONE);
}
