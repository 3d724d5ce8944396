import { requireBatch, type BlendFactor, type Numbers } from "./batch.js";

/** Above this cosine, the arc and the chord are equal to the precision of a double. */
const NEARLY_EQUAL = 1 - 1e-9;

const factor: BlendFactor = { alpha: 0.5 };

/**
 * Rotates at constant speed from each quaternion of `previous` (alpha 0) to that of `current` (alpha 1), along the shorter arc.
 * Writes one quaternion (x, y, z, w) or several to `out`, and returns it. Results have unit length, and both ends are exact.
 */
export function slerp<N extends Numbers>(
  out: N,
  previous: Numbers,
  current: Numbers,
  alpha: number,
  count = out?.length / 4,
): N {
  requireBatch("slerp", out, previous, current, alpha, count, 4);
  factor.alpha = alpha;
  blendQuats(out, previous, current, 0, count * 4, factor, true);
  return out;
}

/** Like `slerp`, but interpolates linearly and normalizes: less than a third of the cost, within 0.0013° of it for steps of 10°. */
export function nlerp<N extends Numbers>(
  out: N,
  previous: Numbers,
  current: Numbers,
  alpha: number,
  count = out?.length / 4,
): N {
  requireBatch("nlerp", out, previous, current, alpha, count, 4);
  factor.alpha = alpha;
  blendQuats(out, previous, current, 0, count * 4, factor, false);
  return out;
}

/** @internal */
export function blendQuats(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  { alpha: t }: BlendFactor,
  isSlerp: boolean,
): void {
  for (let i = from; i < to; i += 4) {
    const ax = previous[i]!;
    const ay = previous[i + 1]!;
    const az = previous[i + 2]!;
    const aw = previous[i + 3]!;
    let x = current[i]!;
    let y = current[i + 1]!;
    let z = current[i + 2]!;
    let w = current[i + 3]!;
    const isSame = ax === x && ay === y && az === z && aw === w;
    if (t === 0) {
      x = ax;
      y = ay;
      z = az;
      w = aw;
    } else if (t !== 1 && !isSame) {
      const dot = ax * x + ay * y + az * z + aw * w;
      const cosine = dot < 0 ? -dot : dot;
      let a = 1 - t;
      let b = t;
      if (isSlerp && cosine < NEARLY_EQUAL) {
        const angle = Math.acos(cosine);
        const sine = Math.sin(angle);
        a = Math.sin(a * angle) / sine;
        b = Math.sin(b * angle) / sine;
      }
      // q and -q are the same rotation. Choose the sign of the nearer end.
      if (dot < 0) {
        if (t < 0.5) b = -b;
        else a = -a;
      }
      const mx = ax * a + x * b;
      const my = ay * a + y * b;
      const mz = az * a + z * b;
      const mw = aw * a + w * b;
      const length = Math.sqrt(mx * mx + my * my + mz * mz + mw * mw);
      // Never 0: the two are now at most 90° apart in 4D, and equal zeros were handled above.
      x = mx / length;
      y = my / length;
      z = mz / length;
      w = mw / length;
    }
    out[i] = x;
    out[i + 1] = y;
    out[i + 2] = z;
    out[i + 3] = w;
  }
}
