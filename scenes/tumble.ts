/** A box that tumbles in free fall. Spun about its intermediate axis, it flips over again and again. */
export interface Tumble {
  /** A unit quaternion: x, y, z, w. */
  readonly turn: [number, number, number, number];
  /** Angular velocity about its own axes, in radians per second. */
  readonly spin: [number, number, number];
}

/** Its size along its own axes. */
export const SIZE = [3, 2, 0.5] as const;
const [A, B, C] = SIZE.map((length) => length * length) as [number, number, number];
const INERTIA = [B + C, A + C, A + B] as const;
/** Maximum length of a substep, in seconds. Its error is invisible. */
const FINE = 1 / 240;
/** Relative spin about the other two axes. Without it, the box would never flip over. */
const ASKEW = 0.03;

/** Returns a box that makes `turns` turns per second. */
export function tumble(turns: number): Tumble {
  const speed = 2 * Math.PI * turns;
  return { turn: [0, 0, 0, 1], spin: [ASKEW * speed, speed, ASKEW * speed] };
}

/** Computes the derivative of all seven numbers by Euler's equations without torque. */
function change([x, y, z, w, p, q, r]: readonly number[], out: number[]): void {
  out[0] = (w! * p! + y! * r! - z! * q!) / 2;
  out[1] = (w! * q! + z! * p! - x! * r!) / 2;
  out[2] = (w! * r! + x! * q! - y! * p!) / 2;
  out[3] = (-x! * p! - y! * q! - z! * r!) / 2;
  out[4] = ((INERTIA[1] - INERTIA[2]) / INERTIA[0]) * q! * r!;
  out[5] = ((INERTIA[2] - INERTIA[0]) / INERTIA[1]) * r! * p!;
  out[6] = ((INERTIA[0] - INERTIA[1]) / INERTIA[2]) * p! * q!;
}

/** Integrates with RK4 in small substeps, so that long steps are as exact as short ones. */
export function stepTumble({ turn, spin }: Tumble, dt: number): void {
  const count = Math.ceil(dt / FINE - 1e-9);
  const h = dt / count;
  const state = [...turn, ...spin];
  const slopes = [0, 1, 2, 3].map(() => [0, 0, 0, 0, 0, 0, 0]);
  const ahead = (slope: readonly number[], by: number) => state.map((value, i) => value + slope[i]! * by);
  for (let n = 0; n < count; n++) {
    const [k1, k2, k3, k4] = slopes as [number[], number[], number[], number[]];
    change(state, k1);
    change(ahead(k1, h / 2), k2);
    change(ahead(k2, h / 2), k3);
    change(ahead(k3, h), k4);
    for (let i = 0; i < 7; i++) state[i]! += (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!);
    const [x, y, z, w] = state as [number, number, number, number];
    // Not Math.hypot, which engines round differently.
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    for (let i = 0; i < 4; i++) state[i]! /= length;
  }
  for (let i = 0; i < 4; i++) turn[i] = state[i]!;
  for (let i = 0; i < 3; i++) spin[i] = state[4 + i]!;
}

/** Returns the angle between two rotations, in degrees. */
export function degreesBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [ax, ay, az, aw] = [a[0]!, a[1]!, a[2]!, a[3]!];
  const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!];
  // Uses both sine and cosine of the difference, as each alone is inexact for some angles.
  const x = aw * bx - ax * bw - ay * bz + az * by;
  const y = aw * by + ax * bz - ay * bw - az * bx;
  const z = aw * bz - ax * by + ay * bx - az * bw;
  const cosine = ax * bx + ay * by + az * bz + aw * bw;
  return (2 * Math.atan2(Math.hypot(x, y, z), Math.abs(cosine)) * 180) / Math.PI;
}
