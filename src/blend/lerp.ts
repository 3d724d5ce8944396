import { requireBatch, type Numbers } from "./batch.js";

/**
 * From `a` (t = 0) to `b` (t = 1), past it for t > 1. If their difference is finite, it is exactly `a` and `b` at
 * the ends, exactly the value if both are the same, and never turns back on the way. Unchecked: NaN gives NaN.
 */
export function lerp(a: number, b: number, t: number): number {
  // The usual a + (b - a) * t misses b by a rounding; so each half is reckoned from its own end.
  const x = t < 0.5 ? a - (a - b) * t : b - (b - a) * (1 - t);
  // What rests at infinity has no difference.
  return x === x || a !== b ? x : b;
}

/** Lerps each number of `previous` and `current` into `out`, which it returns: positions, vectors, colours. */
export function lerpAll<N extends Numbers>(
  out: N,
  previous: Numbers,
  current: Numbers,
  alpha: number,
  count = out?.length,
): N {
  requireBatch("lerpAll", out, previous, current, alpha, count, 1);
  lerpRange(out, previous, current, 0, count, alpha);
  return out;
}

export function lerpRange(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  t: number,
): void {
  for (let i = from; i < to; i++) out[i] = lerp(previous[i]!, current[i]!, t);
}
