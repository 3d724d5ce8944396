import { badValue, requireArguments, requireWhole } from "../errors/index.js";

/** The kinds of input that can be declared. */
export type InputKind = "button" | "axis" | "int" | "fraction";

/** A declared input: how many bits it takes, and how they are read. All bits are 0 while the player does nothing. */
export class InputField<V extends boolean | number, K extends InputKind = InputKind> {
  /** @internal Use `button`, `axis`, `int` or `fraction`. */
  constructor(
    readonly kind: K,
    readonly bits: number,
    /** The number of steps from 0 to 1, for an axis or a fraction; the smallest value, for an int. */
    readonly base: number,
    /** The largest value of the bits, read as an unsigned number. */
    readonly max: number,
  ) {}
  /** Only for the compiler. */
  declare protected readonly value: V;
}

/** A button, down or up. Takes one bit. */
export const button: InputField<boolean, "button"> = new InputField("button", 1, 0, 1);

/**
 * Declares a stick, from -1 to 1, in 2^bits - 1 steps; 0 and both ends are exact. Values are rounded to the nearest
 * step when they are written, so a live step and a replayed one see the same value.
 */
export function axis(bits: number): InputField<number, "axis"> {
  requireArguments("axis", arguments.length, 1);
  requireWhole("axis: bits", bits, 2, 8);
  if (bits > 16) badValue("axis: bits", "2 to 16", bits, 8);
  return new InputField("axis", bits, 2 ** (bits - 1) - 1, 2 ** bits - 1);
}

/** Declares a whole number from `min` to `max`, both included, such as a weapon or a card. It is `min` by default. */
export function int(min: number, max: number): InputField<number, "int"> {
  requireArguments("int", arguments.length, 2);
  if (!Number.isSafeInteger(min)) badValue("int: min", "a whole number", min, 0);
  if (!(Number.isSafeInteger(max) && max > min)) {
    const fix = Number.isSafeInteger(max) && max < min ? `int(${max}, ${min})` : `int(${min}, ${min + 7})`;
    badValue("int: max", `a whole number greater than min, which is ${min}`, max, fix);
  }
  if (max - min >= 2 ** 31)
    badValue("int: max", `less than min + 2^31, which is ${min + 2 ** 31}`, max, `int(${min}, ${min + 7})`);
  return new InputField("int", 32 - Math.clz32(max - min), min, max - min);
}

/**
 * Declares the moment within a step at which a button was pressed or released: from 0 to less than 1, in 2^bits steps.
 * The latch writes it in the tick that sees the edge, and it is 0 in all other ticks. It is recorded like any other
 * input. Use it to spawn a bullet in the middle of a step.
 */
export function fraction(bits: number): InputField<number, "fraction"> {
  requireArguments("fraction", arguments.length, 1);
  requireWhole("fraction: bits", bits, 1, 8);
  if (bits > 16) badValue("fraction: bits", "1 to 16", bits, 8);
  return new InputField("fraction", bits, 2 ** bits, 2 ** bits - 1);
}

/** Inputs by name. */
export interface InputFields {
  readonly [name: string]: InputField<boolean> | InputField<number>;
}

/** The inputs of one player in one tick. */
export type InputValues<I> = { -readonly [K in keyof I]: I[K] extends InputField<infer V> ? V : never };

type NamesOf<I, F> = { [K in keyof I]: I[K] extends F ? K : never }[keyof I] & string;

/** The names of the buttons among the declared inputs `I`. */
export type ButtonNames<I> = NamesOf<I, InputField<boolean>>;
/** The names of the axes among the declared inputs `I`. */
export type AxisNames<I> = NamesOf<I, InputField<number, "axis">>;
/** The names of the axes and ints among the declared inputs `I`: inputs that keep a value until another is set. */
export type ValueNames<I> = NamesOf<I, InputField<number, "axis"> | InputField<number, "int">>;
/** The names of the fractions among the declared inputs `I`. */
export type FractionNames<I> = NamesOf<I, InputField<number, "fraction">>;
