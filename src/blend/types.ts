import type { Beat } from "../loop/index.js";
import type { Kind } from "./kinds.js";
import type { Extrapolation } from "./motion.js";

/** The part of a loop that blending uses. A beat has it, too: objects that it moves are blended over its own period. */
export type SmoothLoop = Pick<Beat, "on">;

/** Options of `smooth` and `smoothAll`. */
export interface SmoothOptions {
  /** Shows the view ahead of the blend: `extrapolate(1)`. Default: not, as extrapolated objects move through walls. */
  readonly ahead?: Extrapolation | undefined;
}

/** The kind of each field to show. */
export type SmoothFields<T> = { readonly [K in keyof T]?: Kind<T[K], string> };

/** Rejects names that the object does not have, and curves whose velocity is not a field of the same kind. */
export type Known<T, F> = F & { readonly [K in Exclude<keyof F, keyof T> | Stray<T, F>]: never };

/** Names of curves whose velocity is not a field that fits. */
type Stray<T, F> = {
  [K in keyof F]: F[K] extends Kind<infer V, string> & { readonly velocity: infer N }
    ? N extends keyof T
      ? T[N] extends V
        ? never
        : K
      : K
    : never;
}[keyof F];

/** The same as `Known`, for columns. */
export type KnownColumns<T, F> = F & { readonly [K in Exclude<keyof F, keyof T> | StrayColumn<T, F>]: never };

/** Names of curves whose velocity is not a column of floats. */
type StrayColumn<T, F> = {
  [K in keyof F]: F[K] extends { readonly velocity: infer N }
    ? N extends keyof T
      ? T[N] extends Float64Array | Float32Array
        ? never
        : K
      : K
    : never;
}[keyof F];

/** A view to draw: filled before each frame, never read by the loop. */
export type View<T, F> = { readonly [K in keyof F & keyof T]: Shown<T[K], F[K]> };

type Shown<V, K> =
  K extends Kind<infer A, infer C>
    ? unknown extends A
      ? V
      : [C] extends [never]
        ? number
        : V extends ArrayLike<number>
          ? readonly number[]
          : { readonly [P in C]: number }
    : never;
