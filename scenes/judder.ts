import type { DisplayFrame } from "./display.js";

/** How unevenly a picture moves, relative to the ideal displacement per refresh. */
export interface Judder {
  readonly rms: number;
  readonly p99: number;
  readonly worst: number;
}

/** Returns the judder of each refresh: actual minus ideal displacement, divided by the ideal one. */
export function judderOf(frames: readonly DisplayFrame[], shown: readonly number[]): Float64Array {
  const errors: number[] = [];
  let squares = 0;
  let count = 0;
  for (let i = 1; i < frames.length; i++) {
    const { vsync, refreshes } = frames[i]!;
    const ideal = (vsync - frames[i - 1]!.vsync) / refreshes;
    // A refresh without a new frame shows the previous one again.
    for (let missed = 1; missed < refreshes; missed++) errors.push(-ideal);
    errors.push(shown[i]! - shown[i - 1]! - ideal);
    squares += ideal * ideal * refreshes;
    count += refreshes;
  }
  const scale = 1 / Math.sqrt(squares / count);
  return Float64Array.from(errors, (error) => error * scale);
}

export function judder(errors: Float64Array): Judder {
  const sorted = errors.map(Math.abs).sort();
  let squares = 0;
  for (const error of errors) squares += error * error;
  return {
    rms: Math.sqrt(squares / errors.length),
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
    worst: sorted.at(-1) ?? 0,
  };
}
