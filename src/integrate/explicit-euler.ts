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
 * Advances a motion by the explicit Euler method. First order, and it gains energy: a spring swings ever wider, an
 * orbit spirals out. Included for comparison. Arguments are not checked.
 */
export function explicitEuler(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  motion.velocity = velocity + acceleration(position, velocity, t) * dt;
  motion.position = position + velocity * dt;
}

/** Creates a function that advances a state of `length` numbers by this method. Allocates only here, not per step. */
export function explicitEulerColumns(length: number, derivative: Derivative): StateStep {
  requireColumnArguments("explicitEulerColumns", arguments.length, length, "derivative", derivative);
  const slope = allocateColumn("explicitEulerColumns", length);
  return (state, t, dt) => {
    requireColumn("explicitEulerColumns", "state", state, length);
    requireTimes("explicitEulerColumns", t, dt);
    slope.fill(0);
    derivative(slope, state, t);
    for (let i = 0; i < length; i++) state[i] = state[i]! + slope[i]! * dt;
  };
}
