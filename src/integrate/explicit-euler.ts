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
 * First order, and it gains energy: a spring swings ever wider, an orbit spirals out. Here to be compared with.
 * Unchecked.
 */
export function explicitEuler(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  motion.velocity = velocity + acceleration(position, velocity, t) * dt;
  motion.position = position + velocity * dt;
}

/** The same for a state of so many numbers. What it needs besides is made here, once. */
export function explicitEulerColumns(length: number, derivative: Derivative): StateStep {
  requireMaker("explicitEulerColumns", length, "derivative", derivative);
  const slope = columnOf("explicitEulerColumns", length);
  return (state, t, dt) => {
    requireColumn("explicitEulerColumns", "state", state, length);
    requireTimes("explicitEulerColumns", t, dt);
    slope.fill(0);
    derivative(slope, state, t);
    for (let i = 0; i < length; i++) state[i] = state[i]! + slope[i]! * dt;
  };
}
