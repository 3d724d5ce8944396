import type { RowAllocator } from "./row-allocator.js";
import type { RowPointer } from "./row-pointer.js";

/** Takes walks back when their loop ends. */
interface WalkPool {
  release(walk: RowWalk): void;
}

/**
 * A loop over the rows of a table: the iterator and its results in one reusable object. It visits the rows that were live when
 * the loop began, in the order of their numbers, and skips those that are removed before their turn.
 */
export class RowWalk {
  /** The cursor at the current row. */
  value: object;
  done: boolean;
  /** The loop visits only rows before this one. */
  private end: number;
  /** The count of added rows when the loop began. */
  private began: number;
  protected readonly ids: Float64Array;

  constructor(
    private readonly allocator: RowAllocator,
    private readonly pool: WalkPool,
    readonly pointer: RowPointer,
    cursor: object,
  ) {
    this.value = cursor;
    this.done = true;
    this.end = 0;
    this.began = 0;
    this.ids = allocator.ids;
  }

  begin(): void {
    const { allocator } = this;
    this.began = allocator.countAdded();
    this.end = allocator.words[allocator.count] === 0 ? 0 : allocator.words[allocator.end]!;
    this.pointer.row = -1;
    this.done = false;
  }

  next(): this {
    const { pointer } = this;
    const row = pointer.row + 1;
    // Fast path for the common case.
    if (row < this.end && this.ids[row]! > 0 && this.allocator.added === this.began) {
      pointer.row = row;
      return this;
    }
    return this.seek(row);
  }

  /** Moves to the next row to visit, starting at `from`. */
  private seek(from: number): this {
    const { ids, end, pointer, allocator, began } = this;
    for (let row = from; row < end; row++) {
      if (ids[row]! <= 0 || allocator.isAddedAfter(row, began)) continue;
      pointer.row = row;
      return this;
    }
    return this.return();
  }

  /** Ends the loop: after the last row, or on `break`, `return` or an error in its body. */
  return(): this {
    if (!this.done) {
      this.done = true;
      this.end = 0;
      // If no row was visited, a cursor that was kept must not write before the start of the column.
      if (this.pointer.row < 0) this.pointer.row = 0;
      this.pool.release(this);
    }
    return this;
  }
}
