/**
 * Integrators: advance motion from accelerations, for a single number or for columns of numbers; and the
 * rates at which they are stable.
 *
 * @packageDocumentation
 */

export type { Accelerations, Derivative, MotionStep, StateStep } from "./columns.js";
export { explicitEuler, explicitEulerColumns } from "./explicit-euler.js";
export type { Acceleration, Motion } from "./motion.js";
export { rk4, rk4Columns } from "./rk4.js";
export { semiImplicitEuler, semiImplicitEulerColumns } from "./semi-implicit-euler.js";
export { stableRate, type IntegratorName, type SpringForces, type SpringFrequency } from "./stable-rate.js";
export { velocityVerlet, velocityVerletColumns } from "./velocity-verlet.js";
