// Cursors of a guarded world: they throw when they are used where another row would be meant.
import type { StateMemory } from "./arrays.js";
import type { CheckedPointer } from "./cursor.js";
import { RowCursors } from "./row-cursors.js";
import type { RowAllocator } from "./row-allocator.js";
import { RowPointer, type RowViews } from "./row-pointer.js";
import { RowWalk } from "./row-walk.js";

class GuardedPointer extends RowPointer implements CheckedPointer {
  /** Of the row that the cursor stands for. */
  id: number;

  constructor(
    memory: StateMemory,
    views: readonly RowViews[],
    row: number,
    private readonly table: string,
    private readonly ids: Float64Array,
    /** The loop whose cursor it is. None for what `get` returned. */
    private readonly walk?: RowWalk,
  ) {
    super(memory, views, row);
    this.id = ids[row]!;
  }

  requireLive(): void {
    const { walk, table, ids, row, id } = this;
    if (walk && (walk.done || walk.pointer.row !== row))
      throw new Error(
        `world.${table}: a row was used after its turn in the loop. Keep its id instead, and call get(id).`,
      );
    if (ids[row] !== id)
      throw new Error(
        `world.${table}: the row with id ${id} was used after it was removed. Read what you need first.`,
      );
  }
}

/** Has a cursor for each row, to tell one that was kept from the present one. */
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
  /** The cursor of one row: for a loop, or for `get`. */
  newCursor(row: number, walk?: RowWalk): { pointer: GuardedPointer; cursor: object } {
    const { memory, views, allocator, node, cursorClass } = this;
    const pointer = new GuardedPointer(memory, views, row, node.owner.path, allocator.ids, walk);
    return { pointer, cursor: cursorClass.make(pointer) };
  }

  protected override newWalk(): RowWalk {
    const { allocator, memory, views } = this;
    return new GuardedWalk(this, allocator, new RowPointer(memory, views));
  }

  /** A new one for each call, so that one that is kept stays with the id it was asked for. */
  protected override cursorAt(row: number): object {
    return this.newCursor(row).cursor;
  }
}
