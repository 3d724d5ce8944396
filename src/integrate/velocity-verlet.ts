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
 * Second order, and symplectic where the acceleration depends on the position alone; thrown things are exact. Two
 * accelerations a step: the last one is not kept for the next step, as that would be state outside of yours. Unchecked.
 */
export function velocityVerlet(motion: Motion, acceleration: Acceleration, t: number, dt: number): void {
  const { position, velocity } = motion;
  const before = acceleration(position, velocity, t);
  const there = position + velocity * dt + (before * dt * dt) / 2;
  // With drag, the velocity there is guessed: the order stays.
  const after = acceleration(there, velocity + before * dt, t + dt);
  motion.position = there;
  motion.velocity = velocity + ((before + after) / 2) * dt;
}

/** The same for so many positions and velocities. What it needs besides is made here, once. */
export function velocityVerletColumns(length: number, acceleration: Accelerations): MotionStep {
  requireMaker("velocityVerletColumns", length, "acceleration", acceleration);
  const before = columnOf("velocityVerletColumns", length);
  const after = columnOf("velocityVerletColumns", length);
  const there = columnOf("velocityVerletColumns", length);
  const guess = columnOf("velocityVerletColumns", length);
  return (position, velocity, t, dt) => {
    requireColumns("velocityVerletColumns", position, velocity, length);
    requireTimes("velocityVerletColumns", t, dt);
    before.fill(0);
    acceleration(before, position, velocity, t);
    for (let i = 0; i < length; i++) {
      there[i] = position[i]! + velocity[i]! * dt + (before[i]! * dt * dt) / 2;
      guess[i] = velocity[i]! + before[i]! * dt;
    }
    after.fill(0);
    acceleration(after, there, guess, t + dt);
    for (let i = 0; i < length; i++) {
      position[i] = there[i]!;
      velocity[i] = velocity[i]! + ((before[i]! + after[i]!) / 2) * dt;
    }
  };
}
