import { exp } from "./exp.js";
import { expm1 } from "./expm1.js";

const LN2 = 0.6931471805599453;

/**
 * From `current` towards `target`: the way that is left shrinks by e^-(rate × dt), in one step or in many. The same on
 * every frame rate, where `current + (target - current) * 0.1` is not. It never overshoots, and what has arrived
 * stays, bit for bit. Unchecked: NaN gives NaN.
 */
export function damp(current: number, target: number, rate: number, dt: number): number {
  const lapse = rate * dt;
  const way = target - current;
  if (way === 0 || !(Math.abs(way) < Infinity && lapse === lapse)) return unusual(current, target, rate, dt);
  // Each half of the way is reckoned from its own end, so that both ends are exact.
  return lapse < LN2 ? current - way * expm1(-lapse) : target - way * exp(-lapse);
}

/** The same of what has arrived, of ends that are infinite or too far apart for a difference, and of NaN. */
function unusual(current: number, target: number, rate: number, dt: number): number {
  if (!(current === current && target === target && rate === rate && dt === dt)) return NaN;
  // Over no time, an infinite rate moves nothing either.
  if (current === target || rate === 0 || dt === 0) return current;
  const left = exp(-rate * dt);
  // Products with an infinite end would be NaN.
  return left === 1 ? current : left === 0 ? target : target * (1 - left) + current * left;
}

/**
 * The rate at which half of the way is left after so many seconds: `damp(x, target, halfLife(0.2), dt)`. After 0
 * seconds, it is infinite: what is damped so is there at once. Unchecked.
 */
export function halfLife(seconds: number): number {
  return LN2 / seconds;
}
