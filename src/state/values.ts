// Numbers in memory and the values that users see.
import { badValue } from "../errors/index.js";
import type { FieldSpec } from "./fields.js";

/** Whether a value can be written to a field, as one of its numbers. */
export function fits({ form, names }: FieldSpec, value: unknown): value is number | boolean {
  if (form === "boolean") return typeof value === "boolean";
  return typeof value === "number" && (names === undefined || isCode(names, value));
}

/** Whether a number stands for one of these names. */
export function isCode(names: readonly string[], value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < names.length;
}

/** Throws the error for a value that a field cannot hold. */
export function badFieldValue(subject: string, { form, names }: FieldSpec, value: unknown): never {
  if (form === "boolean") badValue(subject, "true or false", value, true);
  if (names)
    badValue(
      subject,
      `a value of oneOf(${listOf(names.map((name) => JSON.stringify(name)))})`,
      value,
      `a constant of the choice, such as Mode.${names.at(-1)}`,
    );
  return badValue(subject, "a number", value, 0);
}

/** Joins names for an error. Leaves out those after the eighth. */
export function listOf(names: Iterable<string>): string {
  const all = [...names];
  return all.length > 8 ? `${all.slice(0, 8).join(", ")} and ${all.length - 8} more` : all.join(", ");
}

/** Returns a number of a field as users see it: a boolean, the name of a choice, or the number itself. */
export function readable({ form, names }: FieldSpec, value: number): number | boolean | string {
  if (form === "boolean") return value !== 0;
  return names?.[value] ?? value;
}
