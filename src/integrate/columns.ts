import type { Numbers } from "../blend/index.js";
import { badValue, requireApart, requireFunction, requireNumbers, requireWhole } from "../errors/index.js";

/**
 * Writes into `out` how fast each number of `state` changes at time `t`. `out` comes filled with zeros. `state` is not
 * always your array, but an attempt: read it, not yours.
 */
export type Derivative = (out: Numbers, state: Numbers, t: number) => void;

/** Writes accelerations into `out`, which comes filled with zeros. Reads the columns that it is given, not yours. */
export type Accelerations = (out: Numbers, position: Numbers, velocity: Numbers, t: number) => void;

/** Takes a state from `t` to `t + dt`, in place. If the derivative throws, the state is as it was. */
export type StateStep = (state: Numbers, t: number, dt: number) => void;

/** Takes positions and velocities from `t` to `t + dt`, in place. */
export type MotionStep = (position: Numbers, velocity: Numbers, t: number, dt: number) => void;

export function requireMaker(call: string, length: unknown, part: string, slope: unknown): void {
  requireWhole(`${call}: length`, length, 1, 3);
  requireFunction(`${call}: ${part}`, slope, "(out) => {}");
}

/** Room for so many numbers, or an error that says whose. */
export function columnOf(call: string, length: number): Float64Array {
  try {
    return new Float64Array(length);
  } catch {
    return badValue(`${call}: length`, "one that memory has room for", length, 3);
  }
}

export function requireColumn(call: string, part: string, column: Numbers, length: number): void {
  requireNumbers(call, part, column, 0);
  if (column.length !== length)
    badValue(`${call}: ${part}.length`, `${length}, as it was made for`, column.length, `${call}(length, …)`);
}

export function requireColumns(call: string, position: Numbers, velocity: Numbers, length: number): void {
  requireColumn(call, "position", position, length);
  requireColumn(call, "velocity", velocity, length);
  requireApart(call, "velocity", velocity, position, length);
}

export function requireTimes(call: string, t: number, dt: number): void {
  // The subject is joined where it is needed, as that allocates.
  if (!Number.isFinite(t)) badValue(`${call}: t`, "a finite number of seconds", t, "loop.time");
  if (!Number.isFinite(dt)) badValue(`${call}: dt`, "a finite number of seconds", dt, "loop.dt");
}
