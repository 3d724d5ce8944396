import type { Numbers } from "../blend/index.js";
import type { Motion } from "../integrate/index.js";
import { badValue, requireApart, requireArguments, requireNumber, requireNumbers } from "../errors/index.js";
import { exp } from "./exp.js";
import { expm1 } from "./expm1.js";

const LN2 = 0.6931471805599453;

/**
 * Pulls a motion to `target` with a critically damped spring: as fast as possible without oscillating, and smoothly, as
 * the velocity is kept. Uses the exact solution, so the result does not depend on the number of steps. `rate` is the
 * spring's undamped frequency in radians per second: after 5 / rate seconds, 4 % of the distance is left. `dt` is in
 * seconds. Arguments are not checked.
 */
export function spring<M extends Motion>(motion: M, target: number, rate: number, dt: number): M {
  // Nothing moves in no time, even at an infinite rate.
  if (dt === 0) return motion;
  const { position, velocity } = motion;
  const near = isNearTarget(rate * dt);
  const decay = decayOf(rate * dt, near);
  motion.position = positionAfter(position, velocity, target, rate, dt, decay, near);
  motion.velocity = velocityAfter(position, velocity, target, rate, dt, decay, near);
  return motion;
}

/**
 * Applies `spring` to each number of two columns, towards that of `target`: the components of a vector, or many
 * objects.
 */
export function springAll(
  position: Numbers,
  velocity: Numbers,
  target: Numbers,
  rate: number,
  dt: number,
  count = position?.length,
): void {
  requireArguments("springAll", arguments.length, 6);
  requireNumbers("springAll", "position", position, 0);
  if (!(Number.isSafeInteger(count) && count >= 0))
    badValue("springAll: count", "a whole number, 0 or more", count, 1);
  requireNumbers("springAll", "position", position, count);
  requireNumbers("springAll", "velocity", velocity, count);
  requireNumbers("springAll", "target", target, count);
  requireApart("springAll", "velocity", velocity, position, count);
  requireNumber("springAll: rate", rate, 0, 1e9, 10);
  requireNumber("springAll: dt", dt, 0, 1e9, "loop.dt");
  const near = isNearTarget(rate * dt);
  const decay = decayOf(rate * dt, near);
  for (let i = 0; i < count; i++) {
    const x = position[i]!;
    const v = velocity[i]!;
    position[i] = positionAfter(x, v, target[i]!, rate, dt, decay, near);
    velocity[i] = velocityAfter(x, v, target[i]!, rate, dt, decay, near);
  }
}

/** Whether to compute from the target instead of from the start, so that both ends are exact. */
const isNearTarget = (elapsed: number) => !(elapsed < LN2);

/**
 * The remaining part of the distance if near the target; otherwise the covered part, which is exact for short steps.
 */
const decayOf = (elapsed: number, near: boolean) => (near ? exp(-elapsed) : -expm1(-elapsed));

function positionAfter(
  x: number,
  v: number,
  target: number,
  rate: number,
  dt: number,
  decay: number,
  near: boolean,
): number {
  const offset = x - target;
  if ((offset === 0 && v === 0) || (near && decay === 0)) return target;
  const push = (v + rate * offset) * dt;
  return near ? target + (offset + push) * decay : x + (push * (1 - decay) - offset * decay);
}

function velocityAfter(
  x: number,
  v: number,
  target: number,
  rate: number,
  dt: number,
  decay: number,
  near: boolean,
): number {
  if (near && decay === 0) return 0;
  const slowed = rate * ((v + rate * (x - target)) * dt);
  return near ? (v - slowed) * decay : v - (v * decay + slowed * (1 - decay));
}
