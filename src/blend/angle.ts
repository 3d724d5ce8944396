import { requireBatch, type Numbers } from "./batch.js";
import { lerp } from "./lerp.js";

const TURN = 2 * Math.PI;

/**
 * Blends from angle `a` (t = 0) to `b` (t = 1) along the shorter arc, in radians. Any number of full turns between them is
 * ignored. The result is exactly `a` and `b` at the ends. If they are several turns apart, results for t < 0.5 are near `a`,
 * the others near `b`.
 */
export function lerpAngle(a: number, b: number, t: number): number {
  const difference = b - a;
  if (difference >= -Math.PI && difference <= Math.PI) return lerp(a, b, t);
  const short = difference - TURN * Math.floor(difference / TURN + 0.5);
  return t < 0.5 ? a + short * t : b - short * (1 - t);
}

/** @internal Returns the shorter way from angle `a` to `b`, from -π to π. */
export function shortArc(a: number, b: number): number {
  const difference = b - a;
  if (difference >= -Math.PI && difference <= Math.PI) return difference;
  return difference - TURN * Math.floor(difference / TURN + 0.5);
}

/** Blends the angles of `previous` and `current` into `out`, and returns it. */
export function lerpAngleAll<N extends Numbers>(
  out: N,
  previous: Numbers,
  current: Numbers,
  alpha: number,
  count = out?.length,
): N {
  requireBatch("lerpAngleAll", out, previous, current, alpha, count, 1);
  lerpAngleRange(out, previous, current, 0, count, alpha);
  return out;
}

/** @internal */
export function lerpAngleRange(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  t: number,
): void {
  for (let i = from; i < to; i++) out[i] = lerpAngle(previous[i]!, current[i]!, t);
}
