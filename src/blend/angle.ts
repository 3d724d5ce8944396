import { requireBatch, type Numbers } from "./batch.js";
import { lerp } from "./lerp.js";

const TURN = 2 * Math.PI;

/**
 * From angle `a` (t = 0) to `b` (t = 1) by the short way, in radians, whatever their turns. Exactly `a` and `b` at
 * the ends. If they are turns apart, the first half counts on from `a`, the second up to `b`: the same directions.
 */
export function lerpAngle(a: number, b: number, t: number): number {
  const way = b - a;
  if (way >= -Math.PI && way <= Math.PI) return lerp(a, b, t);
  const short = way - TURN * Math.floor(way / TURN + 0.5);
  return t < 0.5 ? a + short * t : b - short * (1 - t);
}

/** Blends each angle of `previous` and `current` into `out`, which it returns. */
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
