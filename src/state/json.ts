import { columnOf, type StateMemory } from "./arrays.js";
import type { Layout } from "./layout.js";
import type { Children, Leaf, ListNode, Node, TableNode, TrailLeaves } from "./leaves.js";
import { readable } from "./values.js";

/** Returns a world as plain objects. Tables are arrays of their live rows, with ids. No field can be named `$tick`. */
export function jsonOf({ root, own }: Layout, memory: StateMemory): unknown {
  const name = Object.hasOwn(root.children, "tick") ? "$tick" : "tick";
  return { [name]: plain(columnOf(own.tick, memory)[0]!), ...groupOf(root.children, memory, 0) };
}

function groupOf(children: Children, memory: StateMemory, row: number): object {
  return Object.fromEntries(
    Object.entries(children).map(([name, child]) => [name, partOf(child, memory, row)]),
  );
}

function partOf(node: Node, memory: StateMemory, row: number): unknown {
  if (node.kind === "leaf") return valueOf(node.leaf, memory, row);
  if (node.kind !== "group") return rowsOf(node, memory);
  return node.trail ? trailOf(node.trail, memory, row) : groupOf(node.children, memory, row);
}

function rowsOf(node: TableNode | ListNode, memory: StateMemory): unknown[] {
  const { children, owner } = node;
  const ids = node.kind === "table" ? columnOf(node.allocation.id, memory) : undefined;
  const rows = [];
  for (let row = 0; row < owner.rows; row++) {
    if (ids && !(ids[row]! > 0)) continue;
    const fields = groupOf(children, memory, row);
    rows.push(ids ? { id: ids[row], ...fields } : fields);
  }
  return rows;
}

/** Returns the values of a trail, the newest first. */
function trailOf({ ticks, columns, position }: TrailLeaves, memory: StateMemory, row: number): unknown[] {
  const at = columnOf(position, memory)[row]!;
  const values = columns.map(({ leaf }) => [leaf.name, valueOf(leaf, memory, row) as unknown[]] as const);
  return Array.from({ length: Math.min(at, ticks) }, (_, ago) => {
    const slot = (at + ticks - 1 - ago) % ticks;
    return Object.fromEntries(values.map(([name, ring]) => [name, ring[slot]]));
  });
}

function valueOf(leaf: Leaf, memory: StateMemory, row: number): unknown {
  const { width, length, stride } = leaf;
  const column = columnOf(leaf, memory);
  const one = (at: number) =>
    width === 1
      ? plain(readable(leaf, column[at]!))
      : Array.from({ length: width }, (_, i) => plain(readable(leaf, column[at + i]!)));
  const from = row * stride;
  return length === undefined ? one(from) : Array.from({ length }, (_, i) => one(from + i * width));
}

/** Returns strings for NaN, infinities and -0, which JSON lacks. */
const plain = (value: number | boolean | string) =>
  typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))
    ? value
    : Object.is(value, -0)
      ? "-0"
      : `${value}`;
