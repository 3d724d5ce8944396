import { badValue, requireWhole } from "../errors/index.js";

/** The kinds of input that can be declared. */
export type InputKind = "button" | "axis" | "int" | "fraction";

/** A declared input: so many bits, and what they mean. All bits 0 is what a player does who does nothing. */
export class InputField<V extends boolean | number, K extends InputKind = InputKind> {
  /** @internal Use `button`, `axis`, `int` or `fraction`. */
  constructor(
    readonly kind: K,
    readonly bits: number,
    /** For an axis and a fraction, its steps from 0 to 1; for an int, what its bits are counted from. */
    readonly base: number,
    /** The greatest number that the bits may be. */
    readonly most: number,
  ) {}
  /** Only for the compiler. */
  declare protected readonly value: V;
}

/** Down or up: one bit. */
export const button: InputField<boolean, "button"> = new InputField("button", 1, 0, 1);

/**
 * A stick, from -1 to 1, in 2^bits - 1 steps, so that 0 and both ends are exact. What is written is rounded to the
 * nearest step: a step sees what was recorded, to the bit.
 */
export function axis(bits: number): InputField<number, "axis"> {
  requireWhole("axis: bits", bits, 2, 8);
  if (bits > 16) badValue("axis: bits", "2 to 16", bits, 8);
  return new InputField("axis", bits, 2 ** (bits - 1) - 1, 2 ** bits - 1);
}

/** A whole number from `least` to `most`, both included: a weapon, a card. It is `least` where nothing is done. */
export function int(least: number, most: number): InputField<number, "int"> {
  if (!Number.isSafeInteger(least)) badValue("int: least", "a whole number", least, 0);
  if (!(Number.isSafeInteger(most) && most > least && most - least < 2 ** 31))
    badValue("int: most", `a whole number from ${least + 1} to ${least} + 2^31`, most, least + 7);
  return new InputField("int", 32 - Math.clz32(most - least), least, most - least);
}

/**
 * How far into its step something fell: from 0 to less than 1, in 2^bits steps; 0 where nothing did. A latch writes it in
 * the tick in which the press is seen, and it is recorded like the rest: a bullet born in the middle of a step.
 */
export function fraction(bits: number): InputField<number, "fraction"> {
  requireWhole("fraction: bits", bits, 1, 8);
  if (bits > 16) badValue("fraction: bits", "1 to 16", bits, 8);
  return new InputField("fraction", bits, 2 ** bits, 2 ** bits - 1);
}

/** Inputs by name. */
export interface InputFields {
  readonly [name: string]: InputField<boolean> | InputField<number>;
}

/** What a player does in a tick. */
export type InputValues<I> = { -readonly [K in keyof I]: I[K] extends InputField<infer V> ? V : never };

type NamesOf<I, F> = { [K in keyof I]: I[K] extends F ? K : never }[keyof I] & string;

/** The names of the buttons among the declared inputs `I`. */
export type ButtonNames<I> = NamesOf<I, InputField<boolean>>;
/** The names of the axes among the declared inputs `I`. */
export type AxisNames<I> = NamesOf<I, InputField<number, "axis">>;
/** What holds a value until another is set. */
export type ValueNames<I> = NamesOf<I, InputField<number, "axis"> | InputField<number, "int">>;
/** The names of the fractions among the declared inputs `I`. */
export type FractionNames<I> = NamesOf<I, InputField<number, "fraction">>;
