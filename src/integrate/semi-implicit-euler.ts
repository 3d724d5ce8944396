import {
  allocateColumn,
  requireColumns,
  requireColumnArguments,
  requireTimes,
  type Accelerations,
  type MotionStep,
} from "./columns.js";
import type { Acceleration, Motion } from "./motion.js";

/**
 * Advances the velocity, then the position by the new velocity. First order and symplectic: the energy error is bounded
 * and does not drift. Needs one acceleration per step, and is what most physics engines use. Arguments are not checked.
 */
export function semiImplicitEuler(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  const newVelocity = velocity + acceleration(position, velocity, t) * dt;
  motion.velocity = newVelocity;
  motion.position = position + newVelocity * dt;
}

/**
 * Creates a function that advances `length` positions and velocities by this method. Allocates only here, not per step.
 */
export function semiImplicitEulerColumns(length: number, acceleration: Accelerations): MotionStep {
  requireColumnArguments("semiImplicitEulerColumns", arguments.length, length, "acceleration", acceleration);
  const accelerations = allocateColumn("semiImplicitEulerColumns", length);
  return (position, velocity, t, dt) => {
    requireColumns("semiImplicitEulerColumns", position, velocity, length);
    requireTimes("semiImplicitEulerColumns", t, dt);
    accelerations.fill(0);
    acceleration(accelerations, position, velocity, t);
    for (let i = 0; i < length; i++) {
      const newVelocity = velocity[i]! + accelerations[i]! * dt;
      velocity[i] = newVelocity;
      position[i] = position[i]! + newVelocity * dt;
    }
  };
}
