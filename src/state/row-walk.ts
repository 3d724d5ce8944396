import type { RowBooks } from "./row-books.js";
import type { RowPlace } from "./row-place.js";

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
    private readonly books: RowBooks,
    private readonly pool: WalkPool,
    readonly place: RowPlace,
    cursor: object,
  ) {
    this.value = cursor;
    this.done = true;
    this.end = 0;
    this.began = 0;
    this.ids = books.ids;
  }

  begin(): void {
    const { books } = this;
    this.began = books.countAdded();
    this.end = books.words[books.count] === 0 ? 0 : books.words[books.end]!;
    this.place.row = -1;
    this.done = false;
  }

  next(): this {
    const { place } = this;
    const row = place.row + 1;
    // The common case without a loop, for speed.
    if (row < this.end && this.ids[row]! > 0 && this.books.added === this.began) {
      place.row = row;
      return this;
    }
    return this.seek(row);
  }

  /** Moves to the first row from here on that is to be visited. */
  private seek(from: number): this {
    const { ids, end, place, books, began } = this;
    for (let row = from; row < end; row++) {
      if (ids[row]! <= 0 || books.isAddedAfter(row, began)) continue;
      place.row = row;
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
      if (this.place.row < 0) this.place.row = 0;
      this.pool.release(this);
    }
    return this;
  }
}
