import type { Numbers } from "../blend/index.js";
import {
  badValue,
  requireApart,
  requireArguments,
  requireFunction,
  requireNumbers,
  requireWhole,
} from "../errors/index.js";

/**
 * Writes the rate of change per second of each number of `state`, at `t` seconds, into `out`. `out` is filled with
 * zeros before each call. Read `state`, not your own array: it may be an intermediate state.
 */
export type Derivative = (out: Numbers, state: Numbers, t: number) => void;

/**
 * Writes accelerations at `t` seconds into `out`, which is filled with zeros before each call. Read `position` and
 * `velocity`, not your own arrays: they may be an intermediate state.
 */
export type Accelerations = (out: Numbers, position: Numbers, velocity: Numbers, t: number) => void;

/** Advances a state from `t` to `t + dt` seconds, in place. If the derivative throws, the state is unchanged. */
export type StateStep = (state: Numbers, t: number, dt: number) => void;

/**
 * Advances positions and velocities from `t` to `t + dt` seconds, in place. If the acceleration throws, they are
 * unchanged.
 */
export type MotionStep = (position: Numbers, velocity: Numbers, t: number, dt: number) => void;

export function requireColumnArguments(
  call: string,
  count: number,
  length: unknown,
  part: string,
  slope: unknown,
): void {
  requireArguments(call, count, 2);
  requireWhole(`${call}: length`, length, 1, 3);
  requireFunction(`${call}: ${part}`, slope, "(out) => {}");
}

/** Allocates a column. Throws if there is no memory for it. */
export function allocateColumn(call: string, length: number): Float64Array {
  try {
    return new Float64Array(length);
  } catch {
    return badValue(`${call}: length`, "a length that fits into memory", length, 3);
  }
}

export function requireColumn(call: string, part: string, column: Numbers, length: number): void {
  requireNumbers(call, part, column, 0);
  if (column.length !== length)
    badValue(
      `${call}: ${part}.length`,
      `${length}, the length it was created with`,
      column.length,
      `${call}(${column.length}, …)`,
    );
}

export function requireColumns(call: string, position: Numbers, velocity: Numbers, length: number): void {
  requireColumn(call, "position", position, length);
  requireColumn(call, "velocity", velocity, length);
  requireApart(call, "velocity", velocity, position, length);
}

export function requireTimes(call: string, t: number, dt: number): void {
  // Join the subject only in case of an error, as that allocates.
  if (!Number.isFinite(t)) badValue(`${call}: t`, "a finite number of seconds", t, "loop.time");
  if (!Number.isFinite(dt)) badValue(`${call}: dt`, "a finite number of seconds", dt, "loop.dt");
}
