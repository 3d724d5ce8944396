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
  /** Only for the compiler. */
  readonly accepts?: (value: V) => void;
  readonly components?: C;
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
  blend,
});

/** A number, blended along a straight line. */
export const scalar: Kind<number> = kind("scalar", 1, straight);
/** An angle in radians, blended along the shorter arc. */
export const angle: Kind<number> = {
  ...kind("angle", 1, (out, previous, current, from, to, { t }) =>
    lerpAngleRange(out, previous, current, from, to, t),
  ),
  linearUpTo: Math.PI,
};
/** Two numbers, each blended along a straight line. */
export const vector2: Kind<Vector<"x" | "y">, "x" | "y"> = kind("vector2", 2, straight);
/** Three numbers, each blended along a straight line. */
export const vector3: Kind<Vector<"x" | "y" | "z">, "x" | "y" | "z"> = kind("vector3", 3, straight);

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
