import type { Arrays } from "../../state/arrays.js";
import type { Layout } from "../../state/index.js";
import { RowMoves } from "./row-moves.js";
import { RowPairs } from "./row-pairs.js";

type Table = Layout["tables"][number];

/**
 * Where the pictures show the rows of one table, and under which id. A row of the state is at home if a picture shows it in its
 * own row, with its own id. See `RowIdentity`.
 */
export class TableIdentity {
  readonly #rows: number;
  /** Indices into the numbers of a state. */
  readonly #firstId: number;
  readonly #firstSkip: number;
  readonly #end: number;
  readonly #moves: RowMoves;
  readonly #pairs: RowPairs;

  /** For each row of the state that is not at home, its id; otherwise 0. It may be dead: a rollback may bring it back. */
  readonly #awayIds: Float64Array;
  /** Where these rows are shown, by which id, and what is added to their count of skips. */
  readonly #viewRows: Uint32Array;
  readonly #viewIds: Float64Array;
  readonly #skips: Uint32Array;
  #awayCount = 0;
  /** For each row, an id that pictures have shown for another row than the one that has it in the state; otherwise 0. */
  readonly #takenIds: Float64Array;
  #takenCount = 0;
  /** Ids from here on are only for pictures. No row is used that often. */
  readonly #firstFresh: number;
  #freshCount = 0;

  /** The row of the state that each row of the last picture shows; -1 if none. Not filled in if all were at home. */
  readonly #shown: Int32Array;
  #isAllAtHome = true;
  /** Rows that have no place yet, and rows that the correction added. */
  readonly #list: Uint32Array;

  /** The ids in the newest certain state before a correction, and the rows of the picture that were predicted. */
  readonly #certainIds: Float64Array;
  readonly #predicted: {
    count: number;
    readonly viewRows: Uint32Array;
    readonly realRows: Uint32Array;
    readonly realIds: Float64Array;
    readonly skips: Uint32Array;
  };

  constructor(table: Table, leaves: Layout["leaves"], teleport: number) {
    const { owner, allocation } = table;
    const { rows } = owner;
    this.#rows = rows;
    this.#firstId = allocation.id.offset / 8;
    this.#firstSkip = owner.skips.offset / 4;
    this.#end = allocation.end.offset / 4;
    this.#moves = new RowMoves(table, leaves);
    this.#pairs = new RowPairs(table, leaves, teleport);
    this.#awayIds = new Float64Array(rows);
    this.#viewRows = new Uint32Array(rows);
    this.#viewIds = new Float64Array(rows);
    this.#skips = new Uint32Array(rows);
    this.#takenIds = new Float64Array(rows);
    // Half of the numbers that are exact.
    this.#firstFresh = Math.floor(2 ** 52 / rows) * rows;
    this.#shown = new Int32Array(rows);
    this.#list = new Uint32Array(rows);
    this.#certainIds = new Float64Array(rows);
    this.#predicted = {
      count: 0,
      viewRows: new Uint32Array(rows),
      realRows: new Uint32Array(rows),
      realIds: new Float64Array(rows),
      skips: new Uint32Array(rows),
    };
  }

  /** Shows all rows where they are in the state. */
  clear(): void {
    this.#awayIds.fill(0);
    this.#takenIds.fill(0);
    this.#awayCount = this.#takenCount = 0;
  }

  /** Arranges a picture that was just blended. */
  arrange(picture: Arrays): void {
    this.#isAllAtHome = this.#awayCount === 0 && this.#takenCount === 0;
    if (this.#isAllAtHome) return;
    this.#place(picture);
    if (this.#awayCount > 0) this.#move(picture);
  }

  /** Finds a row of the picture for each live row of the state. */
  #place({ f64 }: Arrays): void {
    const shown = this.#shown;
    const pending = this.#list;
    let count = 0;
    shown.fill(-1);
    for (let row = 0; row < this.#rows; row++) {
      const id = f64[this.#firstId + row]!;
      if (!(id > 0) || this.#awayIds[row] !== id) continue;
      const view = this.#viewRows[row]!;
      // Two rows that are never in the same picture may have the same place.
      if (shown[view]! < 0) shown[view] = row;
      else pending[count++] = row;
    }
    for (let row = 0; row < this.#rows; row++) {
      const id = f64[this.#firstId + row]!;
      if (!(id > 0) || this.#awayIds[row] === id) continue;
      if (shown[row]! < 0 && this.#takenIds[row] !== id) shown[row] = row;
      else pending[count++] = row;
    }
    for (let i = 0; i < count; i++) {
      const row = pending[i]!;
      // The row that is shown here belongs elsewhere, and its own place may be taken by a third row, and so on. The chain ends, as `row` is not shown yet.
      let view = row;
      while (shown[view]! >= 0) view = shown[view]!;
      shown[view] = row;
      const fresh = this.#firstFresh + this.#freshCount++ * this.#rows + view + 1;
      this.#setAway(row, f64[this.#firstId + row]!, view, fresh, 0);
    }
    // A row that is gone may come back, but not to a place that was given away.
    for (let row = 0; row < this.#rows; row++) {
      const away = this.#awayIds[row]!;
      if (away > 0 && f64[this.#firstId + row] !== away && shown[this.#viewRows[row]!]! >= 0)
        this.#setHome(row);
    }
  }

  /**
   * Moves the rows of a picture to their places. The list of free rows is left as it is, as nobody adds rows to a picture; the count of
   * live rows stays the same.
   */
  #move(picture: Arrays): void {
    const { f64, u32 } = picture;
    const moves = this.#moves;
    const firstId = this.#firstId;
    const firstSkip = this.#firstSkip;
    const away = this.#list;
    let count = 0;
    moves.reserve(this.#awayCount);
    for (let row = 0; row < this.#rows; row++) {
      if (!(this.#awayIds[row]! > 0) || f64[firstId + row] !== this.#awayIds[row]) continue;
      moves.take(picture, row, count);
      away[count++] = row;
    }
    for (let i = 0; i < count; i++) {
      const row = away[i]!;
      if (this.#shown[row]! >= 0) continue;
      f64[firstId + row] = -f64[firstId + row]!;
      moves.clear(picture, row);
    }
    for (let i = 0; i < count; i++) {
      const row = away[i]!;
      const view = this.#viewRows[row]!;
      moves.put(picture, view, i);
      f64[firstId + view] = this.#viewIds[row]!;
      u32[firstSkip + view]! += this.#skips[row]!;
      if (view >= u32[this.#end]!) u32[this.#end] = view + 1;
    }
  }

  /**
   * Notes what a picture shows that was just arranged, before it is corrected. The numbers of the newest certain state begin at
   * `from` of `certain`.
   */
  begin({ f64 }: Arrays, certain: Float64Array | undefined, from: number): void {
    const predicted = this.#predicted;
    const firstId = this.#firstId;
    predicted.count = 0;
    for (let row = 0; row < this.#rows; row++)
      this.#certainIds[row] = certain ? certain[from + firstId + row]! : 0;
    for (let view = 0; view < this.#rows; view++) {
      const id = f64[firstId + view]!;
      if (!(id > 0)) continue;
      const row = this.#isAllAtHome ? view : this.#shown[view]!;
      const isAway = this.#awayIds[row]! > 0 && this.#viewRows[row] === view && this.#viewIds[row] === id;
      const realId = isAway ? this.#awayIds[row]! : id;
      if (this.#certainIds[row] === realId) continue;
      const i = predicted.count++;
      predicted.viewRows[i] = view;
      predicted.realRows[i] = row;
      predicted.realIds[i] = realId;
      predicted.skips[i] = isAway ? this.#skips[row]! : 0;
    }
  }

  /**
   * Finds the predicted rows again in the corrected picture, which is not arranged yet, so that they are shown where they were.
   * `certain` is the newest certain state after the correction.
   */
  correct(before: Arrays, after: Arrays, certain: Float64Array | undefined, from: number): void {
    const predicted = this.#predicted;
    if (predicted.count === 0 && this.#awayCount === 0 && this.#takenCount === 0) return;
    const firstId = this.#firstId;
    // If a server does not send the ids of free rows, the id of a row that it removed may be used again.
    for (let row = 0; row < this.#rows; row++) {
      const id = this.#certainIds[row]!;
      if (id > 0 && !(certain && certain[from + firstId + row] === id)) this.#certainIds[row] = -id;
    }
    this.#forget();
    const added = this.#list;
    let addedCount = 0;
    for (let row = 0; row < this.#rows; row++) {
      const id = after.f64[firstId + row]!;
      if (id > 0 && id !== this.#certainIds[row]) added[addedCount++] = row;
    }
    const { found, isFound } = this.#pairs;
    this.#pairs.find(before, after, predicted, added, addedCount);
    for (let i = 0; i < predicted.count; i++) {
      const row = found[i]!;
      const view = predicted.viewRows[i]!;
      if (row < 0) this.#setTaken(view, before.f64[firstId + view]!);
      else this.#keep(i, row, before, after, certain !== undefined && certain[from + firstId + row]! > 0);
    }
    for (let i = 0; i < addedCount; i++) {
      const row = added[i]!;
      const id = after.f64[firstId + row]!;
      // The picture showed another row by this id.
      if (isFound[row] === 0 && before.f64[firstId + row] === id) this.#setTaken(row, id);
    }
  }

  /** Forgets rows that were removed for certain, or that were predicted, and ids that no row will have any more. */
  #forget(): void {
    for (let row = 0; row < this.#rows; row++) {
      const certain = this.#certainIds[row]!;
      if (this.#awayIds[row] !== certain) this.#setHome(row);
      const taken = this.#takenIds[row]!;
      if (taken > 0 && certain !== taken && Math.abs(certain) >= taken) this.#setTaken(row, 0);
    }
  }

  /** Shows a row of the corrected state where the picture showed a predicted one. */
  #keep(index: number, row: number, before: Arrays, after: Arrays, isConfirmed: boolean): void {
    const { viewRows, realRows, realIds, skips } = this.#predicted;
    const view = viewRows[index]!;
    const viewId = before.f64[this.#firstId + view]!;
    const id = after.f64[this.#firstId + row]!;
    const isSame = realRows[index] === row && realIds[index] === id;
    // Another row was skipped a different number of times, and so may be the server's row: it does not send the counts of free
    // rows to all clients. Smoothing would take the difference for a teleport.
    const skip =
      isSame && !isConfirmed
        ? skips[index]!
        : (before.u32[this.#firstSkip + view]! - after.u32[this.#firstSkip + row]!) >>> 0;
    const isHome = view === row && viewId === id;
    if (isHome && this.#takenIds[row] === id) this.#setTaken(row, 0);
    if (!isHome) this.#setTaken(view, viewId);
    if (isHome && skip === 0) this.#setHome(row);
    else this.#setAway(row, id, view, viewId, skip);
  }

  #setAway(row: number, id: number, view: number, viewId: number, skip: number): void {
    if (this.#awayIds[row] === 0) this.#awayCount++;
    this.#awayIds[row] = id;
    this.#viewRows[row] = view;
    this.#viewIds[row] = viewId;
    this.#skips[row] = skip;
  }

  #setHome(row: number): void {
    if (this.#awayIds[row] === 0) return;
    this.#awayIds[row] = 0;
    this.#awayCount--;
  }

  #setTaken(row: number, id: number): void {
    // No row of a state will have it.
    if (id > this.#firstFresh) return;
    if (this.#takenIds[row] === 0 && id > 0) this.#takenCount++;
    if (this.#takenIds[row]! > 0 && id === 0) this.#takenCount--;
    this.#takenIds[row] = id;
  }
}
