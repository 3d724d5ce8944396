import { shortArc } from "./angle.js";
import type { BlendFactor, Numbers } from "./batch.js";
import { at, call, each, number, read, show } from "./compiled-passes.js";
import { bounded } from "./hermite.js";
import type { Motion, MotionStates } from "./motion.js";
import type { FieldPaths } from "./passes.js";

/**
 * Draws values along cubic curves through their states, with the velocities that are given, or derived from the last three
 * moves. All velocities here are per step.
 *
 * A cubic curve can leave the range of its two ends. That is right on an arc, such as the top of a throw, and wrong at a
 * bounce, where it would pass the wall. On an arc, velocity changes by about as much as in the step before; anywhere else the
 * velocities are bounded so that the curve stays between its ends.
 */
export class CurveMotion implements Motion {
  /** The velocity, its change in the step, and if derived, that change as measured. */
  readonly slots: number;
  private readonly isAngle: boolean;
  /** Whether a field of the object holds the velocity. */
  private readonly isGiven: boolean;
  readonly #ahead: number;

  constructor(isAngle: boolean, isGiven: boolean, ahead: number) {
    this.isAngle = isAngle;
    this.isGiven = isGiven;
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
    { alpha: t }: BlendFactor,
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

  turn({ after }: MotionStates, _i: number, extra: number, stride: number, velocity: number): void {
    if (this.isGiven) return;
    after[extra] = velocity;
    after[extra + stride] = 0;
    after[extra + 2 * stride] = NaN;
  }

  velocityAt({ before, after }: MotionStates, extra: number, isPrevious: boolean): number | undefined {
    if (this.isAngle) return undefined;
    if (isPrevious) return before[extra];
    return this.isGiven ? after[extra] : undefined;
  }

  enterCode(field: FieldPaths, f: number): string {
    const { isAngle, isGiven } = this;
    const { from, paths, extra } = field;
    if (isAngle) return readVelocity("P", field) + read("S", field) + call("enter", field, f);
    const width = paths.length;
    const enter = each(field, (j, path) => {
      const [i, v] = [from + j, extra + j];
      const slots = isGiven ? [v + width] : [v, v + width, v + 2 * width];
      const known = slots.map((slot) => `${number("P", slot)}=${number("C", slot)};`).join("");
      const unknown = slots.map((slot) => `${number("P", slot)}=NaN;`).join("");
      const velocity = number("C", v);
      const move = isGiven
        ? ""
        : `if(${velocity}===${velocity})${velocity}=${number("C", i)}-${number("P", i)};`;
      const none = isGiven ? "" : `${velocity}=NaN;`;
      const isUnwritten = `x===${number("C", i)}`;
      return `{const x=${at("o", path)};if(${isUnwritten}){${known}${move}}else{${unknown}${none}}${number("P", i)}=x;}`;
    });
    return readVelocity("P", field) + enter;
  }

  leaveCode(field: FieldPaths, f: number): string {
    if (!this.isGiven) return call("leave", field, f, "S,");
    const { extra, paths } = field;
    const change = (j: number) =>
      `${number("C", extra + paths.length + j)}=${number("C", extra + j)}-${number("P", extra + j)};`;
    return readVelocity("C", field) + each(field, change);
  }

  drawCode(field: FieldPaths, f: number): string {
    const results = each(field, (j) => `x${j}=${number("S", field.from + j)};`);
    return show(field, call("blend", field, f, "S,", ",F") + results);
  }
}

/** The code that reads the velocity of an object, per step, into an array. */
const readVelocity = (array: string, { extra, velocity }: FieldPaths) =>
  velocity.map((path, j) => `${number(array, extra + j)}=${at("o", path)}*d;`).join("");

/** Whether two changes have the same sign, and about the same size. */
function isSimilar(a: number, b: number): boolean {
  return a * b > 0 && Math.abs(a) <= 2 * Math.abs(b) && Math.abs(b) <= 2 * Math.abs(a);
}
