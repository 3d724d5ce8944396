import { badValue, requireKnownOptions, requireType, unknownName } from "../errors/index.js";
import type { Slot } from "./packing.js";

/** A fraction field, and which edge of its button it times. */
export interface EdgeFraction {
  readonly slot: Slot;
  readonly ofPress: boolean;
}

interface FractionOptions {
  readonly of: string;
  readonly edge?: string | undefined;
}

const OPTIONS = Object.keys({ of: 1, edge: 1 } satisfies Record<keyof FractionOptions, 1>);

/** Returns, for each slot, the fractions that time its edges. */
export function edgeFractions(
  slots: readonly Slot[],
  fractions: Readonly<Record<string, FractionOptions | undefined>>,
): EdgeFraction[][] {
  const result: EdgeFraction[][] = slots.map(() => []);
  requireType("inputLatch: fractions", fractions, "object", '{ fireAt: { of: "fire" } }');
  const namesOf = (kind: string) => slots.filter(({ field }) => field.kind === kind).map((slot) => slot.name);
  for (const [name, options] of Object.entries(fractions)) {
    if (options === undefined) continue;
    const slot = slots.find((other) => other.name === name && other.field.kind === "fraction");
    if (!slot) unknownName("inputLatch", "fraction", name, namesOf("fraction"));
    requireType(`inputLatch: fractions.${name}`, options, "object", '{ of: "fire" }');
    requireKnownOptions("inputLatch", options, OPTIONS);
    const of = slots.findIndex((other) => other.name === options.of && other.field.kind === "button");
    if (of < 0) unknownName("inputLatch", "button", options.of, namesOf("button"));
    const { edge = "press" } = options;
    if (edge !== "press" && edge !== "release")
      badValue(`inputLatch: fractions.${name}.edge`, '"press" or "release"', edge, '"release"');
    result[of]!.push({ slot, ofPress: edge === "press" });
  }
  return result;
}
