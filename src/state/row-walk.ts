import type { RowAllocator } from "./row-allocator.js";
import type { RowPointer } from "./row-pointer.js";

/** Where walks go when their loop is over. */
interface WalkPool {
  release(walk: RowWalk): void;
}

/**
 * A loop over the rows of a table: the iterator, and what its `next` returns, in one object that is used again. It visits
 * the rows that were live when the loop began, in the order of their numbers, but for those that were removed before it
 * came to them.
 */
export class RowWalk {
  /** The cursor. */
  value: object;
  done: boolean;
  /** No row that is visited lies behind it. */
  private end: number;
  /** How many rows had been added when the loop began. */
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
    // The common case without a loop, for speed.
    if (row < this.end && this.ids[row]! > 0 && this.allocator.added === this.began) {
      pointer.row = row;
      return this;
    }
    return this.seek(row);
  }

  /** Moves to the first row from here on that is to be visited. */
  private seek(from: number): this {
    const { ids, end, pointer, allocator, began } = this;
    for (let row = from; row < end; row++) {
      if (ids[row]! <= 0 || allocator.isAddedAfter(row, began)) continue;
      pointer.row = row;
      return this;
    }
    return this.return();
  }

  /** Ends the loop: after its last row, or at `break`, `return` or an error in it. */
  return(): this {
    if (!this.done) {
      this.done = true;
      this.end = 0;
      // If no row was visited: a cursor that was kept must not write before the column.
      if (this.pointer.row < 0) this.pointer.row = 0;
      this.pool.release(this);
    }
    return this;
  }
}
