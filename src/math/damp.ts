import { exp } from "./exp.js";
import { expm1 } from "./expm1.js";

const LN2 = 0.6931471805599453;

/**
 * From `current` towards `target`: the way that is left shrinks by e^-(rate × dt), in one step or in many. The same on
 * every frame rate, where `current + (target - current) * 0.1` is not. It never overshoots, and what has arrived
 * stays, bit for bit. Unchecked: NaN gives NaN.
 */
export function damp(current: number, target: number, rate: number, dt: number): number {
  if (current === target) return current;
  const lapse = rate * dt;
  // Each half of the way is reckoned from its own end, so that both ends are exact.
  return lapse < LN2
    ? current - (target - current) * expm1(-lapse)
    : target + (current - target) * exp(-lapse);
}

/** The rate at which half of the way is left after so many seconds: `damp(x, target, halfLife(0.2), dt)`. */
export function halfLife(seconds: number): number {
  return LN2 / seconds;
}
