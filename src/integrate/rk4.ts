import {
  allocateColumn,
  requireColumn,
  requireColumnArguments,
  requireTimes,
  type Derivative,
  type StateStep,
} from "./columns.js";
import type { Acceleration, Motion } from "./motion.js";

/**
 * Advances a motion by the fourth-order Runge-Kutta method: the most accurate of these for smooth motion, at four
 * accelerations per step. Not symplectic: it slowly loses energy. Arguments are not checked.
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

/** Creates a function that advances a state of `length` numbers by this method. Allocates only here, not per step. */
export function rk4Columns(length: number, derivative: Derivative): StateStep {
  requireColumnArguments("rk4Columns", arguments.length, length, "derivative", derivative);
  const attempt = allocateColumn("rk4Columns", length);
  const slope = allocateColumn("rk4Columns", length);
  const sum = allocateColumn("rk4Columns", length);
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
