// Rebuilds the declaration of a state from its description in a file, to read old states without the code that saved them.
import { oneOf } from "./choice.js";
import type { LayoutFields, LayoutRows } from "./describe-layout.js";
import { bool, f32, f64, i16, i32, i8, quat, u16, u32, u8, vec2, vec3 } from "./fields.js";
import {
  list,
  table,
  trail,
  type AnyField,
  type Fields,
  type ListPart,
  type RowFields,
  type TrailFields,
} from "./parts.js";

const FIELDS: Readonly<Record<string, AnyField>> = {
  f64,
  f32,
  i32,
  u32,
  i16,
  u16,
  i8,
  u8,
  bool,
  vec2,
  vec3,
  quat,
};

class Branch {
  readonly children = new Map<string, Branch | AnyField | ListPart<AnyField>>();
  /** The rows of a table or a list of groups, taken from one of its fields. */
  rows = 0;
  /** The ticks of a trail, taken from one of its fields. */
  ticks = 0;
}

/**
 * Returns the declared fields, without blend modes. Throws or returns undefined if the description is malformed. Compare the
 * fingerprint of the result: names of a choice that contain commas are split.
 */
export function fieldsFrom(fields: LayoutFields, rows: LayoutRows): Fields | undefined {
  const kinds = new Map(rows);
  const root = new Branch();
  for (const [path, text] of fields) {
    const names = path.split(".");
    const last = names.pop()!;
    let at = root;
    let rowPart: Branch | undefined;
    for (const [i, name] of names.entries()) {
      let next = at.children.get(name);
      if (next === undefined) at.children.set(name, (next = new Branch()));
      // A field cannot contain another one.
      if (!(next instanceof Branch)) return undefined;
      at = next;
      if (kinds.has(names.slice(0, i + 1).join("."))) rowPart = at;
    }
    const [, type = "", count] = /^(.*?)(?: × (\d+))?$/s.exec(text) ?? [];
    const [, ticks, element] = /^trail\((\d+), (.*)\)$/s.exec(type) ?? [];
    const field = element === undefined ? fieldFrom(type) : elementFrom(element);
    if (!field) return undefined;
    if (ticks !== undefined) at.ticks = Number(ticks);
    if (rowPart) rowPart.rows = Number(count);
    at.children.set(last, field);
  }
  return declared(root, "", kinds) as Fields;
}

function fieldFrom(type: string): AnyField | ListPart<AnyField> | undefined {
  const [, length, element] = /^list\((\d+), (.*)\)$/s.exec(type) ?? [];
  if (element !== undefined) {
    const field = elementFrom(element);
    return field && list(Number(length), field);
  }
  return elementFrom(type);
}

function elementFrom(type: string): AnyField | undefined {
  const [, names] = /^oneOf\((.*)\)$/s.exec(type) ?? [];
  if (names !== undefined) return oneOf(...(names.split(", ") as [string]));
  return Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
}

function declared({ children }: Branch, path: string, kinds: ReadonlyMap<string, "table" | "list">): object {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, child] of children) {
    const at = path === "" ? name : `${path}.${name}`;
    if (!(child instanceof Branch)) {
      fields[name] = child;
      continue;
    }
    const own = declared(child, at, kinds) as RowFields;
    if (child.ticks > 0) {
      fields[name] = trail(child.ticks, own as TrailFields);
      continue;
    }
    const kind = kinds.get(at);
    fields[name] =
      kind === undefined ? own : kind === "table" ? table(child.rows, own) : list(child.rows, own);
  }
  return fields;
}
