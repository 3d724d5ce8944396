// Moves the rows of a table to a table that may have another capacity.
import { columnOf, type StateMemory } from "./arrays.js";
import type { TableNode } from "./leaves.js";

/** The new rows and ids of the rows of an old table. */
export interface MovedRows {
  /** For each row of the old table: its row in the new one, or -1. */
  readonly rows: Int32Array;
  /** The new id of each live row, by its old one. Undefined if all ids stay, and no id that was ever used can be reused. */
  readonly ids: ReadonlyMap<number, number> | undefined;
  /** Whether a row got a new id. */
  readonly isRenumbered: boolean;
}

/** Moves the bookkeeping of a table. The live rows must fit. */
export function moveRows(
  from: TableNode,
  fromMemory: StateMemory,
  to: TableNode,
  toMemory: StateMemory,
): MovedRows {
  return from.owner.rows === to.owner.rows
    ? copyRows(from, fromMemory, to, toMemory)
    : rehashRows(from, fromMemory, to, toMemory);
}

/** For the same capacity: keeps rows, ids and the order in which free rows are reused. */
function copyRows(from: TableNode, fromMemory: StateMemory, to: TableNode, toMemory: StateMemory): MovedRows {
  for (const name of ["id", "next", "count", "end", "free"] as const)
    columnOf(to.allocation[name], toMemory).set(columnOf(from.allocation[name], fromMemory));
  const rows = Int32Array.from({ length: from.owner.rows }, (_, row) => row);
  return { rows, ids: undefined, isRenumbered: false };
}

/**
 * For another capacity. The row of an id is (id - 1) modulo the capacity, so rows move. Where two live rows collide, the
 * second one gets a free row and a new id. Free rows get ids above all that were ever used. A row that kept its id may reuse
 * an old id later.
 */
function rehashRows(
  from: TableNode,
  fromMemory: StateMemory,
  to: TableNode,
  toMemory: StateMemory,
): MovedRows {
  const capacity = to.owner.rows;
  const old = columnOf(from.allocation.id, fromMemory) as Float64Array;
  const ids = columnOf(to.allocation.id, toMemory);
  const next = columnOf(to.allocation.next, toMemory);
  const highest = old.reduce((max, id) => Math.max(max, Math.abs(id)), 0);
  /** Returns the first id of a row that was never used. */
  const freshId = (row: number) => {
    const uses = Math.ceil((highest - row) / capacity);
    return row + 1 + Math.max(0, uses) * capacity;
  };
  const rows = new Int32Array(old.length).fill(-1);
  const moved = new Map<number, number>();
  const collided: number[] = [];
  old.forEach((id, row) => {
    if (!(id > 0)) return;
    const newRow = (id - 1) % capacity;
    if (ids[newRow] !== 0) return void collided.push(row);
    ids[newRow] = id;
    rows[row] = newRow;
    moved.set(id, id);
  });
  let free = 0;
  for (const row of collided) {
    while (ids[free] !== 0) free++;
    ids[free] = freshId(free);
    rows[row] = free;
    moved.set(old[row]!, ids[free]!);
  }
  const end = 1 + rows.reduce((last, row) => Math.max(last, row), -1);
  // Used rows come first. Build the free list backwards, so that the lowest free row is reused first.
  const used = Math.max(end, Math.min(highest, capacity));
  let first = 0;
  for (let row = used - 1; row >= 0; row--) {
    if (ids[row] !== 0) continue;
    ids[row] = -Math.max(row + 1, freshId(row) - capacity);
    next[row] = first;
    first = row + 1;
  }
  columnOf(to.allocation.count, toMemory)[0] = moved.size;
  columnOf(to.allocation.end, toMemory)[0] = end;
  columnOf(to.allocation.free, toMemory)[0] = first;
  // If the new capacity is a multiple of the old one, ids of different rows still lead to different rows.
  return { rows, ids: capacity % old.length === 0 ? undefined : moved, isRenumbered: collided.length > 0 };
}
