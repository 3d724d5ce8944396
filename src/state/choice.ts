import { badValue } from "../errors/index.js";
import { Field, SPEC } from "./fields.js";

/** One of several names, kept as a number of 8 bits. The numbers are its properties: `const Mode = oneOf("idle", "run")`, `Mode.run`. */
export type Choice<N extends string> = Field<number, Uint8Array> & { readonly [K in N]: number };

/** A field that has one of these names; it begins with the first. */
export function oneOf<const N extends string>(...names: [N, ...N[]]): Choice<N> {
  if (names.length < 1 || names.length > 256)
    badValue("oneOf: names", "1 to 256 names", names.length, '"idle", "run"');
  const field = new Field<number, Uint8Array>({ type: "u8", width: 1, form: "choice", names });
  names.forEach((name, code) => {
    if (typeof name !== "string" || name === "") badValue("oneOf: names", "texts", name, '"idle", "run"');
    if (Object.hasOwn(field, name))
      badValue("oneOf: names", "different from one another", name, '"idle", "run"');
    if (name in field) badValue("oneOf: names", "none that every object has", name, `"${name}_"`);
    Object.defineProperty(field, name, { value: code, enumerable: true });
  });
  return field as Choice<N>;
}

/** The names of a choice. */
export const namesOf = <N extends string>(choice: Choice<N>): readonly N[] =>
  choice[SPEC].names as readonly N[];
