// A layout as text. Files contain it, to show what changed when two fingerprints differ, and to read old states.
import type { Layout } from "./layout.js";
import type { Children, Leaf } from "./leaves.js";

/** @internal The tables and the lists of groups of a layout: `["crates", "table"]`. The names of fields do not tell them from groups. */
export type LayoutRows = readonly (readonly [path: string, kind: "table" | "list"])[];

/** @internal */
export function rowsOfLayout({ root }: Layout): LayoutRows {
  return rowPartsOf(root.children);
}

function rowPartsOf(children: Children): [string, "table" | "list"][] {
  return Object.values(children).flatMap((child) => {
    if (child.kind === "leaf") return [];
    if (child.kind === "group") return rowPartsOf(child.children);
    return [[child.owner.path, child.kind]];
  });
}

/** @internal Checks a value that was read from a file. */
export function isLayoutRows(value: unknown): value is LayoutRows {
  return isLayoutFields(value) && value.every(([, kind]) => kind === "table" || kind === "list");
}

/** The declared fields in order, each with its type: `["crates.x", "f64 × 100"]`. */
export type LayoutFields = readonly (readonly [name: string, type: string])[];

/** @internal */
export function fieldsOfLayout({ root }: Layout): LayoutFields {
  return leavesOf(root.children).map((leaf) => [leaf.head + leaf.tail, typeOf(leaf)]);
}

function leavesOf(children: Children): Leaf[] {
  return Object.values(children).flatMap((child) => {
    if (child.kind !== "leaf") return leavesOf(child.children);
    // The position of a trail follows from its other fields.
    return child.leaf.hidden ? [] : [child.leaf];
  });
}

/** Returns the type as it is declared, without the blend mode, which does not change the memory. */
function typeOf({ type, width, form, names, length, head, rows, trail }: Leaf): string {
  const forms = { number: type, boolean: "bool", vector: `vec${width}`, quat: "quat" };
  const field = form === "choice" ? `oneOf(${names!.join(", ")})` : forms[form];
  const element = length === undefined ? field : `${trail ? "trail" : "list"}(${length}, ${field})`;
  return head === "" ? element : `${element} × ${rows}`;
}

/** Number of changes that a message lists. */
const MAX_CHANGES = 5;

/** @internal Describes the changes from one layout to another: `hp was f64 and is f32; mana (f64) was added`. "" if there are none. */
export function layoutChanges(before: LayoutFields, now: LayoutFields): string {
  const [old, own] = [new Map(before), new Map(now)];
  // Names may come from a file: escape line breaks.
  const shown = (text: string) => JSON.stringify(text).slice(1, -1);
  const changes = [
    ...before.flatMap(([name, type]) => {
      const other = own.get(name);
      if (other === undefined) return [shown(`${name} (${type}) was removed`)];
      return other === type ? [] : [shown(`${name} was ${type} and is ${other}`)];
    }),
    ...now.filter(([name]) => !old.has(name)).map(([name, type]) => shown(`${name} (${type}) was added`)),
  ];
  if (changes.length > MAX_CHANGES)
    return `${changes.slice(0, MAX_CHANGES).join("; ")}; and ${changes.length - MAX_CHANGES} more`;
  if (changes.length > 0) return changes.join("; ");
  const moved = now.findIndex(([name], i) => before[i]?.[0] !== name);
  return moved < 0 ? "" : shown(`${now[moved]![0]} is now declared before ${before[moved]![0]}`);
}

/** @internal Checks a value that was read from a file. */
export function isLayoutFields(value: unknown): value is LayoutFields {
  const isField = (field: unknown) =>
    Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === "string");
  return Array.isArray(value) && value.every(isField);
}
