/**
 * Integrators: advance motion from accelerations, for a single number or for columns of numbers.
 *
 * @packageDocumentation
 */

export type { Accelerations, Derivative, MotionStep, StateStep } from "./columns.js";
export { explicitEuler, explicitEulerColumns } from "./explicit-euler.js";
export type { Acceleration, Motion } from "./motion.js";
export { rk4, rk4Columns } from "./rk4.js";
export { semiImplicitEuler, semiImplicitEulerColumns } from "./semi-implicit-euler.js";
export { velocityVerlet, velocityVerletColumns } from "./velocity-verlet.js";
