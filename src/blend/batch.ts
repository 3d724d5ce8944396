import { requireNumber, requireNumbers, requireWhole } from "../errors/index.js";

/** An array of numbers. Plain arrays are not accepted, as engines slow down on calls with many types of arrays. */
export type Numbers = Float64Array | Float32Array;

/** The blend factor of a frame: 0 is the previous state, 1 the current one. An object, as engines box a fraction that is passed on. */
export interface BlendFactor {
  alpha: number;
}

/** The seconds that a step simulates. */
export interface StepLength {
  readonly dt: number;
}

/** @internal Checks the arguments of a batch function, for `count` values of `width` numbers each. */
export function requireBatch(
  call: string,
  out: unknown,
  previous: unknown,
  current: unknown,
  t: number,
  count: number,
  width: number,
): void {
  requireNumbers(call, "out", out, 0);
  if (!(Number.isSafeInteger(count) && count >= 0)) requireWhole(`${call}: count`, count, 0, 1);
  requireNumbers(call, "out", out, count * width);
  requireNumbers(call, "previous", previous, count * width);
  requireNumbers(call, "current", current, count * width);
  if (!(typeof t === "number" && t >= 0 && t <= 2)) requireNumber(`${call}: alpha`, t, 0, 2, "loop.alpha");
}
