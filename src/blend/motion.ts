import type { BlendFactor, Numbers } from "./batch.js";
import type { AnyKind } from "./kinds.js";
import type { FieldPaths } from "./passes.js";

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
  /** Blends the values into `out`. */
  blend(
    out: Numbers,
    states: MotionStates,
    from: number,
    count: number,
    extra: number,
    stride: number,
    factor: BlendFactor,
  ): void;
  /** Moves what is remembered about a number, whose extra numbers begin at `extra`, along with it. */
  shift?(states: MotionStates, extra: number, by: number): void;
  /** Goes on from the current state of number `i` with another velocity per step, as after a contact. */
  turn(states: MotionStates, i: number, extra: number, stride: number, velocity: number): void;
  /** Returns the velocity at the previous or the current state of a number, per step; undefined if it moves along a line. */
  velocityAt?(states: MotionStates, extra: number, isPrevious: boolean): number | undefined;
  /** The same as `enter`, `leave` and `blend`, as code of compiled passes, for field `f`. */
  enterCode(field: FieldPaths, f: number): string;
  leaveCode(field: FieldPaths, f: number): string;
  drawCode(field: FieldPaths, f: number): string;
}

/** Draws values ahead of the blend: `extrapolate(steps)` creates one. */
export interface Extrapolation {
  /** How many steps ahead. */
  readonly steps: number;
  /** @internal Creates what values of a kind need. */
  motion(kind: AnyKind): Motion;
}

/** Returns what to remember about values of a kind; undefined if nothing. */
export function motionOf(kind: AnyKind, ahead: Extrapolation | undefined): Motion | undefined {
  return kind.motion?.(ahead?.steps ?? 0) ?? (kind.held ? undefined : ahead?.motion(kind));
}
