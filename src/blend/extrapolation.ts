import type { BlendFactor, Numbers } from "./batch.js";
import type { Motion, MotionStates } from "./motion.js";
import type { AnyKind } from "./shape.js";

/**
 * Draws values ahead of the blend. Each state is extrapolated once, when its step ends, and the picture is a blend of the
 * previous extrapolation and the current one. It is continuous, as the next step begins with the extrapolation that this one
 * ended with. (Extrapolating the current state from frame to frame would jump by the acceleration at each step.)
 */
export class Extrapolation implements Motion {
  /** The extrapolated value. */
  readonly slots = 1;
  readonly #kind: AnyKind;
  readonly #factor: BlendFactor;

  constructor(kind: AnyKind, ahead: number) {
    this.#kind = kind;
    this.#factor = { t: 1 + ahead };
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
}
