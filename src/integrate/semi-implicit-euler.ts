import {
  columnOf,
  requireColumns,
  requireMaker,
  requireTimes,
  type Accelerations,
  type MotionStep,
} from "./columns.js";
import type { Acceleration, Motion } from "./motion.js";

/**
 * The velocity first, then the position by the new velocity. First order, and symplectic: energy swings by a bounded part
 * and does not drift. One acceleration a step, one line more than the naive way: what most physics engines do.
 * Unchecked.
 */
export function semiImplicitEuler(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  const faster = velocity + acceleration(position, velocity, t) * dt;
  motion.velocity = faster;
  motion.position = position + faster * dt;
}

/** The same for so many positions and velocities. What it needs besides is made here, once. */
export function semiImplicitEulerColumns(length: number, acceleration: Accelerations): MotionStep {
  requireMaker("semiImplicitEulerColumns", length, "acceleration", acceleration);
  const pull = columnOf("semiImplicitEulerColumns", length);
  return (position, velocity, t, dt) => {
    requireColumns("semiImplicitEulerColumns", position, velocity, length);
    requireTimes("semiImplicitEulerColumns", t, dt);
    pull.fill(0);
    acceleration(pull, position, velocity, t);
    for (let i = 0; i < length; i++) {
      const faster = velocity[i]! + pull[i]! * dt;
      velocity[i] = faster;
      position[i] = position[i]! + faster * dt;
    }
  };
}
