import { requireNumber, requireNumbers, requireWhole } from "../errors/index.js";

/** Numbers in a row. Not plain arrays too: engines make slow code of what was called with many kinds. */
export type Numbers = Float64Array | Float32Array;

/** Where a frame's picture lies between two states. An object, as engines put a fraction that is handed on on the heap. */
export interface Picture {
  t: number;
}

/** What the functions for many are given: as many things as `count`, of so many numbers each. */
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
