import { exp } from "./exp.js";
import { expm1 } from "./expm1.js";

const LN2 = 0.6931471805599453;

/**
 * Moves `current` towards `target`: the remaining distance shrinks by e^-(rate × dt), however many steps `dt` is split
 * into. So the motion is the same at every frame rate, unlike `current + (target - current) * 0.1`. Never overshoots,
 * and stays exactly at the target once there. `dt` is in seconds. Arguments are not checked; NaN returns NaN.
 */
export function damp(current: number, target: number, rate: number, dt: number): number {
  const decay = rate * dt;
  const distance = target - current;
  if (distance === 0 || !(Math.abs(distance) < Infinity && decay === decay))
    return dampSpecial(current, target, rate, dt);
  // Start from the nearer end, so that both ends are exact.
  return decay < LN2 ? current - distance * expm1(-decay) : target - distance * exp(-decay);
}

/** `damp` at the target, for infinite ends, for ends whose difference overflows, and for NaN. */
function dampSpecial(current: number, target: number, rate: number, dt: number): number {
  if (!(current === current && target === target && rate === rate && dt === dt)) return NaN;
  // Nothing moves in no time, even at an infinite rate.
  if (current === target || rate === 0 || dt === 0) return current;
  const left = exp(-rate * dt);
  // Avoids 0 × Infinity.
  return left === 1 ? current : left === 0 ? target : target * (1 - left) + current * left;
}

/**
 * Returns the rate at which half of the distance is left after `seconds`: `damp(x, target, halfLife(0.2), dt)`. A
 * half-life of 0 is an infinite rate, which arrives at once. The argument is not checked.
 */
export function halfLife(seconds: number): number {
  return LN2 / seconds;
}
