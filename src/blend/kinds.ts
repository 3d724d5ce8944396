import { lerpAngleRange } from "./angle.js";
import type { Numbers, BlendFactor } from "./batch.js";
import { lerpRange } from "./lerp.js";
import type { Motion } from "./motion.js";
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
  /** @internal Blends the numbers from one index to another. Exact at rest. */
  readonly blend: Blend;
  /** @internal Whether values are angles, which are blended the short way. */
  readonly isAngle: boolean;
  /** @internal The field that holds the velocity, if a curve has one. */
  readonly velocity?: string | undefined;
  /** @internal Creates what values need to be drawn along a curve, `ahead` steps ahead. */
  motion?(ahead: number): Motion;
  /** Only for the compiler. */
  readonly accepts?: (value: V) => void;
  readonly components?: readonly C[];
}

/** A kind of any values. */
export type AnyKind = Kind<never, string>;
/** Fields of any kinds. */
export type AnyFields = Readonly<Record<string, AnyKind>>;

/** A vector or quaternion: an array, a typed array, or an object such as those of three.js and Rapier. */
export type Vector<C extends string> = ArrayLike<number> | { readonly [K in C]: number };

/** @internal */
export const COMPONENTS = ["x", "y", "z", "w"] as const;

const straight: Blend = (out, previous, current, from, to, { alpha: t }) =>
  lerpRange(out, previous, current, from, to, t);

type Traits = Partial<Pick<AnyKind, "held" | "teleports" | "linearUpTo" | "isAngle">>;
const kind = (name: string, width: number, blend: Blend, traits?: Traits) => ({
  name,
  width,
  held: false,
  teleports: false,
  linearUpTo: blend === straight ? Infinity : 0,
  isAngle: false,
  blend,
  ...traits,
});

// Pure, so that a bundle has only the kinds that it uses.

/** A number, blended along a straight line. */
export const scalar: Kind<number> = /* @__PURE__ */ kind("scalar", 1, straight);
/** An angle in radians, blended along the shorter arc. */
export const angle: Kind<number> = /* @__PURE__ */ kind(
  "angle",
  1,
  (out, previous, current, from, to, { alpha: t }) => lerpAngleRange(out, previous, current, from, to, t),
  { linearUpTo: Math.PI, isAngle: true },
);
/** Two numbers, each blended along a straight line. */
export const vector2: Kind<Vector<"x" | "y">, "x" | "y"> = /* @__PURE__ */ kind("vector2", 2, straight);
/** Three numbers, each blended along a straight line. */
export const vector3: Kind<Vector<"x" | "y" | "z">, "x" | "y" | "z"> = /* @__PURE__ */ kind(
  "vector3",
  3,
  straight,
);

type Quat = Kind<Vector<"x" | "y" | "z" | "w">, "x" | "y" | "z" | "w">;
const quat = (name: string, isSlerp: boolean): Quat =>
  kind(name, 4, (out, previous, current, from, to, factor) =>
    blendQuats(out, previous, current, from, to, factor, isSlerp),
  );
/** A unit quaternion, blended at constant speed along the shorter arc (`slerp`). `rotation.nlerp` is cheaper, for many objects. */
export const rotation: Quat & { readonly nlerp: Quat } = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ quat("rotation", true),
  { nlerp: /* @__PURE__ */ quat("rotation.nlerp", false) },
);

/** A value that is not blended, such as a sprite's frame or a name. It keeps its previous value until alpha is 1. */
export const hold: Kind<unknown> = /* @__PURE__ */ kind("hold", 1, holdRange, { held: true });
/**
 * Like `hold`, but when the value changes, the whole object teleports instead of being blended. For example its parent, the
 * shot of a camera, or the id of a row.
 */
export const teleportOnChange: Kind<unknown> = /* @__PURE__ */ kind("teleportOnChange", 1, holdRange, {
  held: true,
  teleports: true,
});

/** @internal Whether an amount can be added to values of this kind. */
export const canShift = (kind: AnyKind): boolean => kind.width < 4 && !kind.held;

function holdRange(
  out: Numbers,
  previous: Numbers,
  current: Numbers,
  from: number,
  to: number,
  { alpha: t }: BlendFactor,
): void {
  const source = t < 1 ? previous : current;
  for (let i = from; i < to; i++) out[i] = source[i]!;
}
