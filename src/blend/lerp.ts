import { requireBatch, type Numbers } from "./batch.js";

/**
 * Blends from `a` (t = 0) to `b` (t = 1), and beyond for t > 1. If their difference is finite, the result is exact at both ends,
 * exact if both are equal, and monotonic. Arguments are not checked: NaN results in NaN.
 */
export function lerp(a: number, b: number, t: number): number {
  // The usual a + (b - a) * t misses b by a rounding error, so each half starts from its own end.
  const x = t < 0.5 ? a - (a - b) * t : b - (b - a) * (1 - t);
  // Equal infinities have no difference.
  return x === x || a !== b ? x : b;
}

/** Blends the numbers of `previous` and `current` into `out`, and returns it: positions, vectors, colors. */
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

/** @internal */
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
