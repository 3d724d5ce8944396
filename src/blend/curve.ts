import { shortArc } from "./angle.js";
import type { BlendFactor, Numbers } from "./batch.js";
import type { Motion, MotionStates } from "./motion.js";
import type { AnyKind } from "./shape.js";

/**
 * Draws values along cubic curves through their states, with the velocities that are given, or derived from the last three
 * moves. All velocities here are per step.
 *
 * A cubic curve can leave the range of its two ends. That is right on an arc, such as the top of a throw, and wrong at a
 * bounce, where it would pass the wall. On an arc, velocity changes by about as much as in the step before; anywhere else the
 * velocities are bounded so that the curve stays between its ends.
 */
export class Curve implements Motion {
  /** The velocity, its change in the step, and if derived, that change as measured. */
  readonly slots: number;
  readonly isAngle: boolean;
  readonly isGiven: boolean;
  readonly #ahead: number;

  constructor({ isAngle, curve }: AnyKind, ahead: number) {
    this.isAngle = isAngle;
    this.isGiven = curve?.velocity !== undefined;
    this.slots = this.isGiven ? 2 : 3;
    this.#ahead = ahead;
  }

  enter(states: MotionStates, from: number, count: number, extra: number, stride: number): void {
    const { next, previous, current, before, after } = states;
    for (let j = 0; j < count; j++) {
      const i = from + j;
      const v = extra + j;
      // Not across a write outside a step. (One store per branch: engines box fractions that are chosen by a condition.)
      if (next[i] === current[i]) {
        before[v + stride] = after[v + stride]!;
        if (!this.isGiven) {
          before[v] = after[v]!;
          before[v + 2 * stride] = after[v + 2 * stride]!;
          // Until the step ends, the last move is kept here, if it is known.
          const move = this.isAngle ? shortArc(previous[i]!, current[i]!) : current[i]! - previous[i]!;
          if (after[v] === after[v]) after[v] = move;
        }
      } else {
        before[v + stride] = NaN;
        if (!this.isGiven) before[v] = before[v + 2 * stride] = after[v] = NaN;
      }
      previous[i] = next[i]!;
    }
  }

  leave(
    _out: Numbers,
    { previous, current, before, after }: MotionStates,
    from: number,
    count: number,
    extra: number,
    stride: number,
  ): void {
    for (let j = 0; j < count; j++) {
      const i = from + j;
      const v = extra + j;
      const g = v + stride;
      if (this.isGiven) {
        after[g] = after[v]! - before[v]!;
        continue;
      }
      const move = this.isAngle ? shortArc(previous[i]!, current[i]!) : current[i]! - previous[i]!;
      const measured = move - after[v]!;
      const lastMeasured = before[g + stride]!;
      // A bounce within a step spoils two changes. So trust a change only if it continues that of the step before.
      const isTrusted =
        isSimilar(measured, lastMeasured) || Math.abs(measured - lastMeasured) <= Math.abs(move) / 2;
      const change = isTrusted ? measured : 0;
      const last = before[g]!;
      after[g + stride] = measured;
      after[g] = change;
      // The mean velocity of the step, and half of the smaller change: exact for constant acceleration.
      after[v] = last * change > 0 ? move + (Math.abs(last) < Math.abs(change) ? last : change) / 2 : move;
    }
  }

  forget({ before, after }: MotionStates, _from: number, count: number, extra: number, stride: number): void {
    for (let j = extra; j < extra + count; j++) {
      before[j + stride] = after[j + stride] = NaN;
      if (!this.isGiven) before[j] = after[j] = before[j + 2 * stride] = after[j + 2 * stride] = NaN;
    }
  }

  /** Blends values into `out`. */
  blend(
    out: Numbers,
    { previous, current, before, after }: MotionStates,
    from: number,
    count: number,
    extra: number,
    stride: number,
    { t }: BlendFactor,
  ): void {
    const ahead = this.#ahead;
    // The same as `hermite`, with what depends on t alone taken out of the loop.
    const isFirstHalf = t < 0.5;
    const u = 1 - t;
    const way = isFirstHalf ? t * t * (3 - 2 * t) : u * u * (3 - 2 * u);
    const weightA = t * u * u;
    const weightB = t * t * u;
    for (let j = 0; j < count; j++) {
      const i = from + j;
      const v = extra + j;
      const lastChange = before[v + stride]!;
      const change = after[v + stride]!;
      let p = previous[i]!;
      let c = current[i]!;
      let a = before[v]!;
      let b = after[v]!;
      if (ahead > 0) {
        // Both states are extrapolated, as in `Extrapolation`, if their motion is known.
        if (lastChange === lastChange) {
          p += ahead * a;
          a += ahead * lastChange;
        }
        if (change === change) {
          c += ahead * b;
          b += ahead * change;
        }
      }
      const move = this.isAngle ? shortArc(p, c) : c - p;
      if (a !== a) a = move;
      if (b !== b) b = move;
      // Semi-implicit Euler moves by the new velocity: half a change away from the mean.
      const isArc = isSimilar(lastChange, change) && Math.abs(move - (a + b) / 2) <= 0.51 * Math.abs(change);
      if (!isArc) {
        a = bounded(a, move);
        b = bounded(b, move);
      }
      // As with `lerpAngle`, each half starts from its own end, which may be turns away from the other.
      const straight = isFirstHalf ? p + move * way : c - move * way;
      let x = straight + (a * weightA - b * weightB);
      if (!isArc) {
        // Undo rounding errors beyond the ends.
        const start = isFirstHalf ? p : c - move;
        const end = isFirstHalf ? p + move : c;
        if (move > 0 ? x > end : x < end) x = end;
        if (move > 0 ? x < start : x > start) x = start;
        if (p === c) x = c;
      }
      out[i] = x;
    }
  }
}

/** Whether two changes have the same sign, and about the same size. */
function isSimilar(a: number, b: number): boolean {
  return a * b > 0 && Math.abs(a) <= 2 * Math.abs(b) && Math.abs(b) <= 2 * Math.abs(a);
}

/** Undoes rounding errors beyond the ends of a curve. NaN stays NaN. */
export function within(start: number, end: number, value: number): number {
  const low = start < end ? start : end;
  const high = start < end ? end : start;
  return value < low ? low : value > high ? high : value;
}

/** Returns a velocity with which a curve does not leave the range of its ends: at most three times the move, and not against it. */
export function bounded(velocity: number, move: number): number {
  if (!(velocity * move > 0)) return 0;
  return Math.abs(velocity) > 3 * Math.abs(move) ? 3 * move : velocity;
}
