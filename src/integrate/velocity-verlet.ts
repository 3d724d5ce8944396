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
 * Advances a motion by the velocity Verlet method. Second order, symplectic if the acceleration depends only on the
 * position, and exact under constant acceleration. Needs two accelerations per step: keeping one for the next step
 * would be hidden state. Arguments are not checked.
 */
export function velocityVerlet(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  const before = acceleration(position, velocity, t);
  const newPosition = position + velocity * dt + (before * dt * dt) / 2;
  // If the acceleration depends on the velocity, estimate it. The method stays second order.
  const after = acceleration(newPosition, velocity + before * dt, t + dt);
  motion.position = newPosition;
  motion.velocity = velocity + ((before + after) / 2) * dt;
}

/**
 * Creates a function that advances `length` positions and velocities by this method. Allocates only here, not per step.
 */
export function velocityVerletColumns(length: number, acceleration: Accelerations): MotionStep {
  requireColumnArguments("velocityVerletColumns", arguments.length, length, "acceleration", acceleration);
  const before = allocateColumn("velocityVerletColumns", length);
  const after = allocateColumn("velocityVerletColumns", length);
  const newPosition = allocateColumn("velocityVerletColumns", length);
  const estimate = allocateColumn("velocityVerletColumns", length);
  return (position, velocity, t, dt) => {
    requireColumns("velocityVerletColumns", position, velocity, length);
    requireTimes("velocityVerletColumns", t, dt);
    before.fill(0);
    acceleration(before, position, velocity, t);
    for (let i = 0; i < length; i++) {
      newPosition[i] = position[i]! + velocity[i]! * dt + (before[i]! * dt * dt) / 2;
      estimate[i] = velocity[i]! + before[i]! * dt;
    }
    after.fill(0);
    acceleration(after, newPosition, estimate, t + dt);
    for (let i = 0; i < length; i++) {
      position[i] = newPosition[i]!;
      velocity[i] = velocity[i]! + ((before[i]! + after[i]!) / 2) * dt;
    }
  };
}
