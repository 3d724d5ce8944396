import { badValue, requireType } from "../errors/index.js";
import { CurveMotion } from "./curve-motion.js";
import { canShift, type AnyKind, type Kind } from "./kinds.js";

/**
 * Blends a kind along the curve that the velocity defines, instead of a straight line: `{ x: curve(scalar, "vx") }`. `velocity` names
 * the field of the same object that holds it, in units per second. Without a name, it is derived from the last moves. Where the
 * motion turns suddenly, as at a bounce, the curve stays between the two states.
 */
export function curve<V, C extends Axis = never>(kind: Curvable<V, C>): Kind<V, C>;
export function curve<V, C extends Axis = never, N extends string = string>(
  kind: Curvable<V, C>,
  velocity: N,
): Kind<V, C> & { readonly velocity: N };
export function curve(kind: AnyKind, velocity?: string): AnyKind {
  if (typeof kind?.blend !== "function" || !canShift(kind) || kind.motion)
    badValue("curve: kind", "scalar, angle, vector2 or vector3", kind?.name ?? kind, "curve(scalar)");
  // Called with undefined, the name was probably misspelt.
  if (arguments.length > 1) requireType("curve: velocity", velocity, "string", `curve(${kind.name}, "vx")`);
  return {
    ...kind,
    name: `curve(${kind.name})`,
    velocity,
    motion: (ahead) => new CurveMotion(kind.isAngle, velocity !== undefined, ahead),
  };
}

type Axis = "x" | "y" | "z";
/** A kind of numbers: not of quaternions, and not of any values, which are held. */
type Curvable<V, C extends Axis> = Kind<V, C> & (unknown extends V ? never : unknown);
