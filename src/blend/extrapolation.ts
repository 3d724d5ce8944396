import { requireNumber } from "../errors/index.js";
import type { BlendFactor, Numbers } from "./batch.js";
import { at, call, drawBetween, each, number } from "./compiled-passes.js";
import type { AnyKind } from "./kinds.js";
import type { Extrapolation, Motion, MotionStates } from "./motion.js";
import type { FieldPaths } from "./passes.js";

/**
 * Shows a view up to one step ahead of the blend, for the option `ahead`: `{ ahead: extrapolate(1) }`. Reduces lag by assuming that
 * the motion continues, without jumps. Never goes further than one step beyond the current state, and not beyond a teleport.
 */
export function extrapolate(steps: number): Extrapolation {
  requireNumber("extrapolate: steps", steps, 0, 1, 1);
  return { steps, motion: (kind) => new ExtrapolatedMotion(kind, steps) };
}

/**
 * Draws values ahead of the blend. Each state is extrapolated once, when its step ends, and the picture is a blend of the
 * previous extrapolation and the current one. It is continuous, as the next step begins with the extrapolation that this one
 * ended with. (Extrapolating the current state from frame to frame would jump by the acceleration at each step.)
 */
class ExtrapolatedMotion implements Motion {
  /** The extrapolated value. */
  readonly slots = 1;
  readonly #kind: AnyKind;
  readonly #ahead: number;
  readonly #factor: BlendFactor;

  constructor(kind: AnyKind, ahead: number) {
    this.#kind = kind;
    this.#ahead = ahead;
    this.#factor = { alpha: 1 + ahead };
  }

  enter(
    { next, previous, current, before, after }: MotionStates,
    from: number,
    count: number,
    extra: number,
  ): void {
    const { width } = this.#kind;
    for (let i = 0; i < count; i += width) {
      let isWritten = false;
      for (let j = i; j < i + width; j++) if (next[from + j] !== current[from + j]) isWritten = true;
      for (let j = i; j < i + width; j++) {
        before[extra + j] = isWritten ? next[from + j]! : after[extra + j]!;
        previous[from + j] = next[from + j]!;
      }
    }
  }

  leave(
    out: Numbers,
    { previous, current, after }: MotionStates,
    from: number,
    count: number,
    extra: number,
  ): void {
    const { width } = this.#kind;
    this.#kind.blend(out, previous, current, from, from + count, this.#factor);
    const isElsewhere = out !== after || extra !== from;
    for (let j = 0; j < count; j++) {
      // Exact at rest, -0 included. The numbers of a rotation belong together.
      if (width < 4 && previous[from + j] === current[from + j]) after[extra + j] = current[from + j]!;
      else if (isElsewhere) after[extra + j] = out[from + j]!;
    }
  }

  forget({ previous, before, after }: MotionStates, from: number, count: number, extra: number): void {
    for (let j = 0; j < count; j++) before[extra + j] = after[extra + j] = previous[from + j]!;
  }

  blend(
    out: Numbers,
    { before, after }: MotionStates,
    from: number,
    count: number,
    extra: number,
    _stride: number,
    factor: BlendFactor,
  ): void {
    this.#kind.blend(out, before, after, extra, extra + count, factor);
    if (extra !== from) for (let j = 0; j < count; j++) out[from + j] = out[extra + j]!;
  }

  shift({ before, after }: MotionStates, extra: number, by: number): void {
    before[extra]! += by;
    after[extra]! += by;
  }

  turn({ current, after }: MotionStates, i: number, extra: number, _stride: number, velocity: number): void {
    after[extra] = current[i]! + this.#ahead * velocity;
  }

  enterCode(field: FieldPaths): string {
    const { from, extra } = field;
    const reads = each(field, (j, path) => `const x${j}=${at("o", path)};`);
    const isUnwritten = each(field, (j) => `x${j}===${number("C", from + j)}`, "&&");
    const moved = each(field, (j) => `${number("P", extra + j)}=${number("C", extra + j)};`);
    const written = each(field, (j) => `${number("P", extra + j)}=x${j};`);
    const previous = each(field, (j) => `${number("P", from + j)}=x${j};`);
    return `{${reads}if(${isUnwritten}){${moved}}else{${written}}${previous}}`;
  }

  leaveCode(field: FieldPaths, f: number): string {
    const { linearUpTo } = this.#kind;
    const { from, extra } = field;
    const general = call("leave", field, f, "S,");
    if (linearUpTo === 0) return general;
    const linear = each(field, (j) => {
      const [p, c] = [number("P", from + j), number("C", from + j)];
      return `${number("C", extra + j)}=${p}===${c}?${c}:${c}-(${c}-${p})*${1 - (1 + this.#ahead)};`;
    });
    if (linearUpTo === Infinity) return linear;
    const move = `${number("C", from)}-${number("P", from)}`;
    return `if(Math.abs(${move})<=${linearUpTo}){${linear}}else{${general}}`;
  }

  drawCode(field: FieldPaths, f: number): string {
    return drawBetween(field, f, field.extra);
  }
}
