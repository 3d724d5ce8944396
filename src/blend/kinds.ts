import { requireType } from "../errors/index.js";
import { lerpAngleRange } from "./angle.js";
import type { Numbers, BlendFactor } from "./batch.js";
import { lerpRange } from "./lerp.js";
import { blendQuats } from "./quat.js";

type Blend = (
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  factor: BlendFactor,
) => void;

/** How a field is blended. `V` is the type of its values. `C` names the components of vectors and quaternions. */
export interface Kind<V, C extends string = never> {
  /** The name under which it is exported. */
  readonly name: string;
  /** Numbers per value. */
  readonly width: number;
  /** @internal Whether any value is allowed, and is held until the next state. */
  readonly held: boolean;
  /** @internal Whether a change is a teleport. */
  readonly teleports: boolean;
  /** @internal Each number is blended by `lerp` if it changes by at most this. */
  readonly linearUpTo: number;
  /** @internal Blends the numbers from one index to another. */
  readonly blend: Blend;
  /** @internal Whether values are angles, which are blended the short way. */
  readonly isAngle: boolean;
  /** @internal Set if values are blended along curves: names the field that holds the velocity, if it is not derived. */
  readonly curve?: { readonly velocity: string | undefined };
  /** Only for the compiler. */
  readonly accepts?: (value: V) => void;
  readonly components?: readonly C[];
}

/** A kind whose values can also be blended along a curve. */
export interface CurvedKind<V, C extends string = never> extends Kind<V, C> {
  /**
   * Blends along the curve that the velocity defines, instead of a straight line. `velocity` names the field of the same object
   * that holds it, in units per second. Without a name, it is derived from the last moves. Where the motion turns suddenly, as
   * at a bounce, the curve stays between the two states.
   */
  hermite(): Kind<V, C>;
  hermite<N extends string>(velocity: N): Kind<V, C> & { readonly velocity: N };
}

/** A vector or quaternion: an array, a typed array, or an object such as those of three.js and Rapier. */
export type Vector<C extends string> = ArrayLike<number> | { readonly [K in C]: number };

/** @internal */
export const COMPONENTS = ["x", "y", "z", "w"] as const;

const straight: Blend = (out, previous, current, from, to, { t }) =>
  lerpRange(out, previous, current, from, to, t);

const kind = (name: string, width: number, blend: Blend, held = false, teleports = false) => ({
  name,
  width,
  held,
  teleports,
  linearUpTo: blend === straight ? Infinity : 0,
  isAngle: false,
  blend,
});

/** Adds the curved variant of a kind. */
const curved = <V, C extends string>(base: Kind<V, C>): CurvedKind<V, C> => ({
  ...base,
  hermite<N extends string>(velocity?: N): Kind<V, C> & { readonly velocity: N } {
    const name = `${base.name}.hermite`;
    // Called with undefined, the name was probably misspelt.
    if (arguments.length > 0) requireType(`${name}: velocity`, velocity, "string", `${name}("vx")`);
    return { ...base, name, linearUpTo: 0, curve: { velocity }, velocity: velocity as N };
  },
});

/** A number, blended along a straight line; or along a curve with `scalar.hermite`. */
export const scalar: CurvedKind<number> = curved(kind("scalar", 1, straight));
/** An angle in radians, blended along the shorter arc; with `angle.hermite`, at a changing speed. */
export const angle: CurvedKind<number> = curved({
  ...kind("angle", 1, (out, previous, current, from, to, { t }) =>
    lerpAngleRange(out, previous, current, from, to, t),
  ),
  linearUpTo: Math.PI,
  isAngle: true,
});
/** Two numbers, each blended along a straight line; or along a curve with `vector2.hermite`. */
export const vector2: CurvedKind<Vector<"x" | "y">, "x" | "y"> = curved(kind("vector2", 2, straight));
/** Three numbers, each blended along a straight line; or along a curve with `vector3.hermite`. */
export const vector3: CurvedKind<Vector<"x" | "y" | "z">, "x" | "y" | "z"> = curved(
  kind("vector3", 3, straight),
);

type Quat = Kind<Vector<"x" | "y" | "z" | "w">, "x" | "y" | "z" | "w">;
/** A unit quaternion, blended at constant speed along the shorter arc (`slerp`). `rotation.nlerp` is cheaper, for many objects. */
export const rotation: Quat & { readonly nlerp: Quat } = {
  ...kind("rotation", 4, (out, previous, current, from, to, factor) =>
    blendQuats(out, previous, current, from, to, factor, true),
  ),
  nlerp: kind("rotation.nlerp", 4, (out, previous, current, from, to, factor) =>
    blendQuats(out, previous, current, from, to, factor, false),
  ),
};

/** A value that is not blended, such as a sprite's frame or a name. It keeps its previous value until alpha is 1. */
export const hold: Kind<unknown> = kind("hold", 1, holdRange, true);
/**
 * Like `hold`, but when the value changes, the whole object teleports instead of being blended. For example its parent, the
 * shot of a camera, or the id of a row.
 */
export const teleportOnChange: Kind<unknown> = kind("teleportOnChange", 1, holdRange, true, true);

/** @internal Whether an amount can be added to values of this kind. */
export const canShift = (kind: Kind<never, string>): boolean => kind.width < 4 && !kind.held;

function holdRange(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  { t }: BlendFactor,
): void {
  const source = t < 1 ? previous : current;
  for (let i = from; i < to; i++) out[i] = source[i]!;
}
