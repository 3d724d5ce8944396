import type { Home } from "./arrays.js";
import { shown } from "./diff.js";
import type { Layout } from "./layout.js";
import type { Leaf, Node, TableNode } from "./leaves.js";
import { columnOf } from "./column.js";

/** A world as plain objects: the rows of a table that are there, with their ids. */
export function jsonOf({ root, books }: Layout, home: Home): unknown {
  return { tick: columnOf(books.tick, home)[0], ...(groupOf(root.children, home, 0) as object) };
}

function groupOf(children: Record<string, Node>, home: Home, row: number): unknown {
  return Object.fromEntries(
    Object.entries(children).map(([name, child]) => [name, partOf(child, home, row)]),
  );
}

function partOf(node: Node, home: Home, row: number): unknown {
  if (node.kind === "leaf") return valueOf(node.leaf, home, row);
  return node.kind === "group" ? groupOf(node.children, home, row) : rowsOf(node, home);
}

function rowsOf({ children, books, owner }: TableNode, home: Home): unknown[] {
  const ids = books.id && columnOf(books.id, home);
  const rows = [];
  for (let row = 0; row < owner.rows; row++) {
    if (ids && !(ids[row]! > 0)) continue;
    const fields = groupOf(children, home, row) as object;
    rows.push(ids ? { id: ids[row], ...fields } : fields);
  }
  return rows;
}

function valueOf(leaf: Leaf, home: Home, row: number): unknown {
  const values = Array.from(
    columnOf(leaf, home).subarray(row * leaf.width, (row + 1) * leaf.width),
    (value) => shown(leaf, value),
  );
  return leaf.width === 1 && leaf.form !== "vector" ? values[0] : values;
}
