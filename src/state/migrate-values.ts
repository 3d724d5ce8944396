// The values of fields in a migration.
import { badValue } from "../errors/index.js";
import type { Column } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { isCode, readable } from "./values.js";

/** A value of a field in a migration: a choice by its name, a vector or a list as an array. */
export type OldValue = number | boolean | string | readonly (number | boolean | string)[];

/** @internal Returns the value of a field, or of a row of a column. */
export function valueOf(leaf: Leaf, column: Column | Float64Array, row: number): OldValue {
  const { width, length, stride } = leaf;
  if (width === 1 && length === undefined) return readable(leaf, column[row]!);
  return Array.from({ length: stride }, (_, i) => readable(leaf, column[row * stride + i]!));
}

/** @internal Returns a field of a trail, or its position, for a trail of another size. */
export function resizedTrail(value: OldValue, position: number, old: Leaf, leaf: Leaf): OldValue {
  const [oldTicks, ticks] = [old.trail!.ticks, leaf.trail!.ticks];
  const kept = Math.min(position, oldTicks, ticks);
  if (leaf === leaf.trail!.position) return kept;
  const { width } = leaf;
  const zero = readable(leaf, 0);
  return Array.from({ length: ticks * width }, (_, i) => {
    const ago = kept - 1 - Math.floor(i / width);
    const slot = (position + oldTicks - 1 - ago) % oldTicks;
    return ago < 0 ? zero : (value as readonly number[])[slot * width + (i % width)]!;
  });
}

/** @internal Whether it is the value that a new field starts with. */
export const isZero = (leaf: Leaf, value: number | boolean | string) => value === readable(leaf, 0);

/** @internal Returns the number that is stored for a value. */
export function numberFor(leaf: Leaf, value: unknown, label: string): number {
  const { form, names } = leaf;
  if (form === "boolean") {
    if (typeof value === "boolean") return Number(value);
    return badValue(`migrate: ${label}`, "true or false", value, fixFor(label));
  }
  if (names) {
    const code = typeof value === "string" ? names.indexOf(value) : value;
    if (typeof code === "number" && isCode(names, code)) return code;
    return badValue(`migrate: ${label}`, `one of ${names.join(", ")}`, value, fixFor(label));
  }
  if (typeof value === "number") return value;
  return badValue(`migrate: ${label}`, "a number", value, fixFor(label));
}

/** @internal Whether the value was stored without loss. Floats may be rounded, but not to infinity. */
export function holds({ type, form, isId }: Leaf, stored: number, value: unknown): boolean {
  if (form === "boolean" || form === "choice" || isId || type === "f64") return true;
  return type === "f32" ? Number.isFinite(stored) || !Number.isFinite(value) : stored === value;
}

/** @internal Shows how to convert a field. */
export const example = (name: string) => `{ fields: { "${name}": (old) => … } }`;

/** @internal Suggests a fix for a value that does not fit. */
export const fixFor = (label: string) =>
  label.startsWith("fields[") ? "another return value" : `a function: ${example(label)}`;
