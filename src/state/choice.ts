import { badValue, misuse } from "../errors/index.js";
import { Field, SPEC } from "./fields.js";

declare const CHOICE: unique symbol;

/**
 * A value of a choice, such as `Mode.run`. In memory it is a small integer, but to the compiler it belongs to one list of
 * names: plain numbers, and values of other choices, cannot be assigned to it.
 */
export type ChoiceValue<N extends readonly string[]> = number & { readonly [CHOICE]: N };

/** A column of the values of a choice. */
export interface ChoiceColumn<N extends readonly string[]> extends Uint8Array {
  [index: number]: ChoiceValue<N>;
  at(index: number): ChoiceValue<N> | undefined;
  fill(value: ChoiceValue<N>, start?: number, end?: number): this;
  forEach(callback: (value: ChoiceValue<N>, index: number, column: this) => void): void;
  includes(value: ChoiceValue<N>, from?: number): boolean;
  indexOf(value: ChoiceValue<N>, from?: number): number;
  set(values: ArrayLike<ChoiceValue<N>>, offset?: number): void;
  subarray(start?: number, end?: number): ChoiceColumn<N>;
  values(): ArrayIterator<ChoiceValue<N>>;
  [Symbol.iterator](): ArrayIterator<ChoiceValue<N>>;
}

/** A field with one of several names, stored as an 8-bit integer. Its values are its properties: `Mode.run`. */
export type Choice<N extends readonly string[]> = Field<ChoiceValue<N>, ChoiceColumn<N>> & {
  readonly [K in N[number]]: ChoiceValue<N>;
};

/** The type of a choice's values: `ChoiceOf<typeof Mode>`. */
export type ChoiceOf<C> = C extends Choice<infer N> ? ChoiceValue<N> : never;

/**
 * Declares a field that holds one of these names. It starts with the first.
 *
 *     const Mode = oneOf("idle", "run");
 *     const Game = layout({ mode: Mode });
 *     world.mode = Mode.run;
 */
export function oneOf<N extends readonly [string, ...string[]]>(...names: N): Choice<N> {
  if (names.length < 1 || names.length > 256)
    badValue("oneOf: names", "1 to 256 names", names.length, '"idle", "run"');
  const field = new Field({ type: "u8", width: 1, form: "choice", names });
  names.forEach((name, code) => {
    if (typeof name !== "string" || name === "")
      badValue("oneOf: names", "non-empty strings", name, '"idle", "run"');
    if (Object.hasOwn(field, name))
      misuse("in-use", "oneOf", `"${name}" is given twice`, "Each name must be different");
    if (name in field)
      misuse(
        "in-use",
        "oneOf",
        `"${name}" is reserved by ${name in Object.prototype ? "Object.prototype" : "fields"}`,
        `Try "${name}_"`,
      );
    Object.defineProperty(field, name, { value: code, enumerable: true });
  });
  return field as unknown as Choice<N>;
}

/** Returns the names of a choice: `namesOf(Mode)[world.mode]` is the name of a value. */
export const namesOf = <N extends readonly string[]>(choice: Choice<N>): Readonly<N> =>
  choice[SPEC].names as unknown as N;
