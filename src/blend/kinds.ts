import { lerpAngleRange } from "./angle.js";
import type { Numbers, Picture } from "./batch.js";
import { lerpRange } from "./lerp.js";
import { blendQuats } from "./quat.js";

type Blend = (
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  at: Picture,
) => void;

/** How a field is blended: its values are of type `V`; `C` names their components, if they have any. */
export interface Kind<V, C extends string = never> {
  readonly name: string;
  /** Numbers that a value has. */
  readonly width: number;
  /** Any value, which is held until the next. */
  readonly held: boolean;
  /** A change of it is a teleport. */
  readonly cuts: boolean;
  /** Blends the numbers from one index to another. */
  readonly blend: Blend;
  /** Only for the compiler. */
  readonly accepts?: (value: V) => void;
  readonly components?: C;
}

/** A vector or quaternion: an array, a typed array, or an object such as those of three.js and Rapier. */
export type Vector<C extends string> = ArrayLike<number> | { readonly [K in C]: number };

export const COMPONENTS = ["x", "y", "z", "w"] as const;

const kind = (name: string, width: number, blend: Blend, held = false, cuts = false) => ({
  name,
  width,
  held,
  cuts,
  blend,
});

const straight: Blend = (out, previous, current, from, to, { t }) =>
  lerpRange(out, previous, current, from, to, t);

/** A number, blended straight. */
export const scalar: Kind<number> = kind("number", 1, straight);
/** An angle in radians, blended the short way. */
export const angle: Kind<number> = kind("angle", 1, (out, previous, current, from, to, { t }) =>
  lerpAngleRange(out, previous, current, from, to, t),
);
/** Two numbers, each blended along a straight line. */
export const vector2: Kind<Vector<"x" | "y">, "x" | "y"> = kind("vec2", 2, straight);
/** Three numbers, each blended along a straight line. */
export const vector3: Kind<Vector<"x" | "y" | "z">, "x" | "y" | "z"> = kind("vec3", 3, straight);

type Quat = Kind<Vector<"x" | "y" | "z" | "w">, "x" | "y" | "z" | "w">;
/** A unit quaternion, turned evenly by the short way (`slerp`); `quat.nlerp` is cheaper, for crowds. */
export const rotation: Quat & { readonly nlerp: Quat } = {
  ...kind("quat", 4, (out, previous, current, from, to, at) =>
    blendQuats(out, previous, current, from, to, at, true),
  ),
  nlerp: kind("quat.nlerp", 4, (out, previous, current, from, to, at) =>
    blendQuats(out, previous, current, from, to, at, false),
  ),
};

/** What does not blend: a sprite's frame, a name. It is shown when the picture has come to its state. */
export const hold: Kind<unknown> = kind("hold", 1, holdRange, true);
/** The same, and a change of it is a teleport of the whole object: its parent, a camera's shot, a row's id. */
export const cut: Kind<unknown> = kind("cut", 1, holdRange, true, true);

/** Whether a difference can be added to it: not to a rotation, nor to what is held. */
export const canShift = (kind: Kind<never, string>): boolean => kind.width < 4 && !kind.held;

function holdRange(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  { t }: Picture,
): void {
  const source = t < 1 ? previous : current;
  for (let i = from; i < to; i++) out[i] = source[i]!;
}
