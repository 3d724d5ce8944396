import type { Loop } from "../loop/index.js";
import type { Kind } from "./kinds.js";

/** What blending needs of a loop. */
export type SmoothLoop = Pick<Loop, "on">;

/** Options of `smooth` and `smoothAll`. */
export interface SmoothOptions {
  /**
   * Steps to show ahead of the blend, from 0 to 1: less lag, by guessing that the motion goes on. Never further
   * than one step beyond the current state, and not after a teleport. 0 by default, as guesses go through walls.
   */
  readonly extrapolate?: number | undefined;
}

/** How fields of an object are blended: those that have a kind are shown. */
export type SmoothFields<T> = { readonly [K in keyof T]?: Kind<T[K], string> };

/** Refuses names that the object does not have. */
export type Known<T, F> = F & { readonly [K in Exclude<keyof F, keyof T>]: never };

/** What to draw: filled before each frame, never read by the loop. */
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
