import { refuse, requireNumber } from "../time/refuse.js";

/** Numbers in a row. Not plain arrays too: engines make slow code of what was called with many kinds. */
export type Numbers = Float64Array | Float32Array;

export function requireNumbers(subject: string, value: unknown, atLeast: number): void {
  if (!(value instanceof Float64Array || value instanceof Float32Array))
    refuse(subject, "a Float64Array or a Float32Array", value, "new Float64Array(4)");
  if (value.length < atLeast)
    refuse(`${subject}.length`, `${atLeast} or more`, value.length, "a smaller count");
}

/** What the functions for many are given: as many things as `count`, of so many numbers each. */
export function requireBatch(
  call: string,
  out: unknown,
  previous: unknown,
  current: unknown,
  t: unknown,
  count: unknown,
  width: number,
): void {
  requireNumbers(`${call}: out`, out, 0);
  if (!(Number.isSafeInteger(count) && (count as number) >= 0))
    refuse(
      `${call}: count`,
      "a whole number, 0 or more",
      count,
      width > 1 ? `out.length / ${width}` : "out.length",
    );
  const length = (count as number) * width;
  requireNumbers(`${call}: out`, out, length);
  requireNumbers(`${call}: previous`, previous, length);
  requireNumbers(`${call}: current`, current, length);
  requireNumber(`${call}: alpha`, t, 0, 2, "loop.alpha");
}
