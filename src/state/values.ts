// Numbers in memory and what they are to people: what may be written into a field, and how it reads.
import { badValue } from "../errors/index.js";
import type { FieldSpec } from "./fields.js";

/** Whether one number of a field may be this. */
export function fits({ form, names }: FieldSpec, value: unknown): value is number | boolean {
  if (form === "boolean") return typeof value === "boolean";
  return typeof value === "number" && (names === undefined || isCode(names, value));
}

/** The number of one of these names. */
export function isCode(names: readonly string[], value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < names.length;
}

/** Says what would have been right. */
export function badFieldValue(subject: string, { form, names }: FieldSpec, value: unknown): never {
  if (form === "boolean") badValue(subject, "true or false", value, true);
  if (names)
    badValue(subject, `the number of one of ${names.join(", ")}`, value, `oneOf's own: Mode.${names.at(-1)}`);
  return badValue(subject, "a number", value, 0);
}

/** A number as its field has it. */
export function readable({ form, names }: FieldSpec, value: number): number | boolean | string {
  if (form === "boolean") return value !== 0;
  return names?.[value] ?? value;
}
