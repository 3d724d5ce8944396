import type { Numbers } from "../blend/index.js";
import type { Motion } from "../integrate/index.js";
import { badValue, requireApart, requireNumber, requireNumbers } from "../errors/index.js";
import { exp } from "./exp.js";
import { expm1 } from "./expm1.js";

const LN2 = 0.6931471805599453;

/**
 * Pulls a motion to `target` by a critically damped spring: as quickly as can be without swinging, and smoothly, as
 * the velocity goes on. Solved, not integrated: any number of steps come to the same place. `rate` is what the spring
 * would swing by without damping, in radians a second; after 5 / rate seconds 4 % of the way are left. Unchecked.
 */
export function spring<M extends Motion>(motion: M, target: number, rate: number, dt: number): M {
  // An infinite rate too has no time to act.
  if (dt === 0) return motion;
  const { position, velocity } = motion;
  const far = farOf(rate * dt);
  const decay = decayOf(rate * dt, far);
  motion.position = positionAfter(position, velocity, target, rate, dt, decay, far);
  motion.velocity = velocityAfter(position, velocity, target, rate, dt, decay, far);
  return motion;
}

/** The same for each number of two columns, to that of `target`: a vector's components, or many things. */
export function springAll(
  position: Numbers,
  velocity: Numbers,
  target: Numbers,
  rate: number,
  dt: number,
  count = position?.length,
): void {
  requireNumbers("springAll", "position", position, 0);
  if (!(Number.isSafeInteger(count) && count >= 0))
    badValue("springAll: count", "a whole number, 0 or more", count, 1);
  requireNumbers("springAll", "position", position, count);
  requireNumbers("springAll", "velocity", velocity, count);
  requireNumbers("springAll", "target", target, count);
  requireApart("springAll", "velocity", velocity, position, count);
  requireNumber("springAll: rate", rate, 0, 1e9, 10);
  requireNumber("springAll: dt", dt, 0, 1e9, "loop.dt");
  const far = farOf(rate * dt);
  const decay = decayOf(rate * dt, far);
  for (let i = 0; i < count; i++) {
    const x = position[i]!;
    const v = velocity[i]!;
    position[i] = positionAfter(x, v, target[i]!, rate, dt, decay, far);
    velocity[i] = velocityAfter(x, v, target[i]!, rate, dt, decay, far);
  }
}

/** From here on it is reckoned from the target, before that from where it was: each end is exact. */
const farOf = (lapse: number) => !(lapse < LN2);

/** What is left of 1, if far; else what is lost of it, exact for short steps. */
const decayOf = (lapse: number, far: boolean) => (far ? exp(-lapse) : -expm1(-lapse));

function positionAfter(
  x: number,
  v: number,
  target: number,
  rate: number,
  dt: number,
  decay: number,
  far: boolean,
): number {
  const away = x - target;
  if ((away === 0 && v === 0) || (far && decay === 0)) return target;
  const thrown = (v + rate * away) * dt;
  return far ? target + (away + thrown) * decay : x + (thrown * (1 - decay) - away * decay);
}

function velocityAfter(
  x: number,
  v: number,
  target: number,
  rate: number,
  dt: number,
  decay: number,
  far: boolean,
): number {
  if (far && decay === 0) return 0;
  const slowed = rate * ((v + rate * (x - target)) * dt);
  return far ? (v - slowed) * decay : v - (v * decay + slowed * (1 - decay));
}
