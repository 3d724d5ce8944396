// Cursors of a guarded world. They throw when they are used after their row is gone.
import { misuse } from "../errors/index.js";
import type { StateMemory } from "./arrays.js";
import type { CheckedPointer } from "./cursor.js";
import { RowCursors } from "./row-cursors.js";
import type { RowAllocator } from "./row-allocator.js";
import { RowPointer, type RowViews } from "./row-pointer.js";
import { RowWalk } from "./row-walk.js";

class GuardedPointer extends RowPointer implements CheckedPointer {
  /** The id of the row that the cursor was made for. */
  id: number;

  constructor(
    memory: StateMemory,
    views: readonly RowViews[],
    row: number,
    private readonly table: string,
    private readonly ids: Float64Array,
    /** The loop that the cursor belongs to. Undefined for cursors that `get` returned. */
    private readonly walk?: RowWalk,
  ) {
    super(memory, views, row);
    this.id = ids[row]!;
  }

  requireLive(): void {
    const { walk, table, ids, row, id } = this;
    if (walk && (walk.done || walk.pointer.row !== row))
      misuse(
        "stale-row",
        `world.${table}`,
        "a row was used after its turn in the loop",
        "Keep its id instead, and call get(id)",
      );
    if (ids[row] !== id)
      misuse(
        "stale-row",
        `world.${table}`,
        `the row with id ${id} was used after it was removed`,
        "Read its fields before you remove it",
      );
  }
}

/** Uses one cursor per row, so that a kept cursor can be told from the current one. */
class GuardedWalk extends RowWalk {
  private readonly cursors: { readonly pointer: GuardedPointer; readonly cursor: object }[] = [];

  constructor(
    private readonly guarded: GuardedCursors,
    allocator: RowAllocator,
    pointer: RowPointer,
  ) {
    super(allocator, guarded, pointer, pointer);
  }

  override next(): this {
    super.next();
    if (this.done) return this;
    const { guarded, cursors, ids, pointer } = this;
    const { row } = pointer;
    const { pointer: own, cursor } = (cursors[row] ??= guarded.newCursor(row, this));
    own.id = ids[row]!;
    this.value = cursor;
    return this;
  }
}

export class GuardedCursors extends RowCursors {
  /** Creates the cursor of one row, for a loop or for `get`. */
  newCursor(row: number, walk?: RowWalk): { pointer: GuardedPointer; cursor: object } {
    const { memory, views, allocator, node, cursorClass } = this;
    const pointer = new GuardedPointer(memory, views, row, node.owner.path, allocator.ids, walk);
    return { pointer, cursor: cursorClass.make(pointer) };
  }

  protected override newWalk(): RowWalk {
    const { allocator, memory, views } = this;
    return new GuardedWalk(this, allocator, new RowPointer(memory, views));
  }

  /** Creates a new cursor for each call, so that a kept one stays bound to the id it was requested for. */
  protected override cursorAt(row: number): object {
    return this.newCursor(row).cursor;
  }
}
