import {
  columnOf,
  requireColumn,
  requireMaker,
  requireTimes,
  type Derivative,
  type StateStep,
} from "./columns.js";
import type { Acceleration, Motion } from "./motion.js";

/**
 * Runge and Kutta's fourth order: the most exact of these where motion is smooth, at four accelerations a step. Not
 * symplectic: energy is lost, slowly. Unchecked.
 */
export function rk4(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position: x, velocity: v } = motion;
  const half = dt / 2;
  const a1 = acceleration(x, v, t);
  const v2 = v + a1 * half;
  const a2 = acceleration(x + v * half, v2, t + half);
  const v3 = v + a2 * half;
  const a3 = acceleration(x + v2 * half, v3, t + half);
  const v4 = v + a3 * dt;
  const a4 = acceleration(x + v3 * dt, v4, t + dt);
  motion.position = x + ((v + 2 * v2 + 2 * v3 + v4) / 6) * dt;
  motion.velocity = v + ((a1 + 2 * a2 + 2 * a3 + a4) / 6) * dt;
}

/** The same for a state of so many numbers. What it needs besides is made here, once. */
export function rk4Columns(length: number, derivative: Derivative): StateStep {
  requireMaker("rk4Columns", length, "derivative", derivative);
  const attempt = columnOf("rk4Columns", length);
  const slope = columnOf("rk4Columns", length);
  const sum = columnOf("rk4Columns", length);
  return (state, t, dt) => {
    requireColumn("rk4Columns", "state", state, length);
    requireTimes("rk4Columns", t, dt);
    slope.fill(0);
    derivative(slope, state, t);
    sum.set(slope);
    for (let stage = 2; stage <= 4; stage++) {
      const ahead = stage === 4 ? dt : dt / 2;
      for (let i = 0; i < length; i++) attempt[i] = state[i]! + slope[i]! * ahead;
      slope.fill(0);
      derivative(slope, attempt, t + ahead);
      const weight = stage === 4 ? 1 : 2;
      for (let i = 0; i < length; i++) sum[i] = sum[i]! + weight * slope[i]!;
    }
    for (let i = 0; i < length; i++) state[i] = state[i]! + (sum[i]! / 6) * dt;
  };
}
