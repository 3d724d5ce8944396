// Cursors of a guarded world: they throw when they are used where another row would be meant.
import type { Home } from "./arrays.js";
import type { CheckedPlace } from "./cursor.js";
import { RowCursors } from "./row-cursors.js";
import type { RowBooks } from "./row-books.js";
import { RowPlace, type RowViews } from "./row-place.js";
import { RowWalk } from "./row-walk.js";

class GuardedPlace extends RowPlace implements CheckedPlace {
  /** Of the row that the cursor stands for. */
  id: number;

  constructor(
    home: Home,
    views: readonly RowViews[],
    row: number,
    private readonly table: string,
    private readonly ids: Float64Array,
    /** The loop whose cursor it is. None for what `get` returned. */
    private readonly walk?: RowWalk,
  ) {
    super(home, views, row);
    this.id = ids[row]!;
  }

  requireLive(): void {
    const { walk, table, ids, row, id } = this;
    if (walk && (walk.done || walk.place.row !== row))
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
  private readonly cursors: { readonly place: GuardedPlace; readonly cursor: object }[] = [];

  constructor(
    private readonly guarded: GuardedCursors,
    books: RowBooks,
    place: RowPlace,
  ) {
    super(books, guarded, place, place);
  }

  override next(): this {
    super.next();
    if (this.done) return this;
    const { guarded, cursors, ids, place } = this;
    const { row } = place;
    const { place: own, cursor } = (cursors[row] ??= guarded.newCursor(row, this));
    own.id = ids[row]!;
    this.value = cursor;
    return this;
  }
}

export class GuardedCursors extends RowCursors {
  /** The cursor of one row: for a loop, or for `get`. */
  newCursor(row: number, walk?: RowWalk): { place: GuardedPlace; cursor: object } {
    const { home, views, books, node, cursorClass } = this;
    const place = new GuardedPlace(home, views, row, node.owner.path, books.ids, walk);
    return { place, cursor: cursorClass.make(place) };
  }

  protected override newWalk(): RowWalk {
    const { books, home, views } = this;
    return new GuardedWalk(this, books, new RowPlace(home, views));
  }

  /** A new one for each call, so that one that is kept stays with the id it was asked for. */
  protected override cursorAt(row: number): object {
    return this.newCursor(row).cursor;
  }
}
