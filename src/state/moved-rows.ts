// The rows of a table in a table of another capacity.
import { columnOf, type StateMemory } from "./arrays.js";
import type { TableNode } from "./leaves.js";

/** Where the rows of an old table lie in the new one. */
export interface MovedRows {
  /** For each row of the old table: its row in the new one, or -1. */
  readonly rows: Int32Array;
  /** The new id of each live row by its old one. Undefined if all ids stay, and none that was given is given again. */
  readonly ids: ReadonlyMap<number, number> | undefined;
  /** Whether a row got another id. */
  readonly isRenumbered: boolean;
}

/** Copies the bookkeeping of a table. The live rows must fit. */
export function moveRows(from: TableNode, fromMemory: StateMemory, to: TableNode, toMemory: StateMemory): MovedRows {
  return from.owner.rows === to.owner.rows
    ? copyRows(from, fromMemory, to, toMemory)
    : rehashRows(from, fromMemory, to, toMemory);
}

/** The same capacity: free rows are reused in the same order, with the same ids. */
function copyRows(from: TableNode, fromMemory: StateMemory, to: TableNode, toMemory: StateMemory): MovedRows {
  for (const name of ["id", "next", "count", "end", "free"] as const)
    columnOf(to.allocation[name], toMemory).set(columnOf(from.allocation[name], fromMemory));
  const rows = Int32Array.from({ length: from.owner.rows }, (_, row) => row);
  return { rows, ids: undefined, isRenumbered: false };
}

/**
 * Another capacity. The row of an id is (id - 1) modulo the capacity, so rows move. Where two live rows fall on the same
 * row, the second one takes a free row and a new id. Free rows give ids above all that were given; a row that kept its id
 * may give one again when it is reused.
 */
function rehashRows(from: TableNode, fromMemory: StateMemory, to: TableNode, toMemory: StateMemory): MovedRows {
  const capacity = to.owner.rows;
  const old = columnOf(from.allocation.id, fromMemory) as Float64Array;
  const ids = columnOf(to.allocation.id, toMemory);
  const next = columnOf(to.allocation.next, toMemory);
  const highest = old.reduce((most, id) => Math.max(most, Math.abs(id)), 0);
  /** The first id of a row that was never given. */
  const freshId = (row: number) => {
    const uses = Math.ceil((highest - row) / capacity);
    return row + 1 + Math.max(0, uses) * capacity;
  };
  const rows = new Int32Array(old.length).fill(-1);
  const moved = new Map<number, number>();
  const homeless: number[] = [];
  old.forEach((id, row) => {
    if (!(id > 0)) return;
    const newRow = (id - 1) % capacity;
    if (ids[newRow] !== 0) return void homeless.push(row);
    ids[newRow] = id;
    rows[row] = newRow;
    moved.set(id, id);
  });
  let free = 0;
  for (const row of homeless) {
    while (ids[free] !== 0) free++;
    ids[free] = freshId(free);
    rows[row] = free;
    moved.set(old[row]!, ids[free]!);
  }
  const end = 1 + rows.reduce((last, row) => Math.max(last, row), -1);
  // Used rows come first. From the last on, so that the lowest free row is the next to be used.
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
  // In a multiple of the capacity, ids of different rows still lead to different rows.
  return { rows, ids: capacity % old.length === 0 ? undefined : moved, isRenumbered: homeless.length > 0 };
}
