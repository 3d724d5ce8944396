import { badValue, requireNumber, requireNumbers } from "../errors/index.js";
import { requireBatch, type Numbers } from "./batch.js";

/**
 * Blends from `a` (t = 0) to `b` (t = 1) along the cubic curve with velocity `va` at `a` and `vb` at `b`, in units per second.
 * The two are `dt` seconds apart. Exact at both ends, and for an object at rest. Follows the arc of a thrown object.
 */
export function hermite(a: number, b: number, va: number, vb: number, dt: number, t: number): number {
  const u = 1 - t;
  const s = t * t * (3 - 2 * t);
  const straight = t < 0.5 ? a + (b - a) * s : b - (b - a) * (u * u * (3 - 2 * u));
  return straight + dt * (va * t * u * u - vb * t * t * u);
}

/** Blends the numbers of `previous` and `current`, with their velocities, into `out`, and returns it. */
export function hermiteAll<N extends Numbers>(
  out: N,
  previous: Numbers,
  current: Numbers,
  previousVelocity: Numbers,
  currentVelocity: Numbers,
  dt: number,
  alpha: number,
  count = out?.length,
): N {
  requireBatch("hermiteAll", out, previous, current, alpha, count, 1);
  requireNumbers("hermiteAll", "previousVelocity", previousVelocity, count);
  requireNumbers("hermiteAll", "currentVelocity", currentVelocity, count);
  requireNumber("hermiteAll: dt", dt, 0, 1e9, "loop.dt");
  // Extrapolating a cubic curve would overshoot wildly.
  if (alpha > 1) badValue("hermiteAll: alpha", "a number from 0 to 1", alpha, "loop.alpha");
  for (let i = 0; i < count; i++)
    out[i] = hermite(previous[i]!, current[i]!, previousVelocity[i]!, currentVelocity[i]!, dt, alpha);
  return out;
}

/** @internal Undoes rounding errors beyond the ends of a curve. NaN stays NaN. */
export function within(start: number, end: number, value: number): number {
  const low = start < end ? start : end;
  const high = start < end ? end : start;
  return value < low ? low : value > high ? high : value;
}

/** @internal Returns a velocity with which a curve does not leave the range of its ends: at most three times the move, and not against it. */
export function bounded(velocity: number, move: number): number {
  if (!(velocity * move > 0)) return 0;
  return Math.abs(velocity) > 3 * Math.abs(move) ? 3 * move : velocity;
}
