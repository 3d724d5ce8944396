import { badValue, requireType } from "../errors/index.js";
import type { Slot } from "./packing.js";

/** A fraction, and which edge of its button it tells of. */
export interface Moment {
  readonly slot: Slot;
  readonly ofPress: boolean;
}

/** The fractions that tell of each field. */
export function momentsOf(
  slots: readonly Slot[],
  fractions: Readonly<
    Record<string, { readonly of: string; readonly edge?: string | undefined } | undefined>
  >,
): Moment[][] {
  const moments: Moment[][] = slots.map(() => []);
  requireType("inputLatch: fractions", fractions, "object", '{ fireAt: { of: "fire" } }');
  for (const [name, tie] of Object.entries(fractions)) {
    if (tie === undefined) continue;
    const slot = slots.find((other) => other.name === name && other.field.kind === "fraction");
    if (!slot) badValue(`inputLatch: fractions`, "of declared fractions", name, "fireAt: fraction(8)");
    const of = slots.findIndex((other) => other.name === tie?.of && other.field.kind === "button");
    if (of < 0) badValue(`inputLatch: fractions.${name}`, "that of a button", tie, '{ of: "fire" }');
    const { edge = "press" } = tie;
    if (edge !== "press" && edge !== "release")
      badValue(`inputLatch: fractions.${name}.edge`, '"press" or "release"', edge, '"release"');
    moments[of]!.push({ slot, ofPress: edge === "press" });
  }
  return moments;
}
