import type { Numbers } from "./batch.js";
import { Curve } from "./curve.js";
import { Extrapolation } from "./extrapolation.js";
import type { AnyKind } from "./shape.js";

/** The states of values, and what a `Motion` remembers about each of them. */
export interface MotionStates {
  /** The values when a step begins. */
  readonly next: Numbers;
  readonly previous: Numbers;
  readonly current: Numbers;
  /** Extra numbers that belong to the previous state, and to the current one. */
  readonly before: Numbers;
  readonly after: Numbers;
}

/**
 * Remembers how values moved before the last step, to draw ahead of them or along a curve. Each method is about `count` values
 * from index `from`. Their extra numbers begin at `extra`: one block of `stride` numbers after the other.
 */
export interface Motion {
  /** Extra numbers for each value. */
  readonly slots: number;
  /** Called when a step begins. Copies `next` to `previous`. */
  enter(states: MotionStates, from: number, count: number, extra: number, stride: number): void;
  /** Called when a step ends and `current` was read. `out` is for the numbers from `from` on; it may be `after`. */
  leave(out: Numbers, states: MotionStates, from: number, count: number, extra: number, stride: number): void;
  /** Forgets all earlier motion of the values. */
  forget(states: MotionStates, from: number, count: number, extra: number, stride: number): void;
}

/** Returns what to remember about values of a kind that are drawn `ahead` steps ahead; undefined if nothing. */
export function motionOf(kind: AnyKind, ahead: number): Extrapolation | Curve | undefined {
  if (kind.curve) return new Curve(kind, ahead);
  return ahead > 0 && !kind.held ? new Extrapolation(kind, ahead) : undefined;
}
