declare const ROW_ID: unique symbol;

/**
 * The id of a table's row, as `add` returns it. To the compiler it is not a row number: `row(id)` returns the number of the
 * row with an id, and `id[row]` is the id of the row with a number.
 */
export type RowId = number & { readonly [ROW_ID]: true };

/** The number of a row: any number but a `RowId`. */
export type RowNumber = number & { readonly [ROW_ID]?: never };

/** A column of ids, or of 0 for none. */
export type IdColumn = Ids & Float64Array;

interface Ids {
  [index: number]: RowId | 0;
  at(index: number): RowId | 0 | undefined;
  forEach(callback: (value: RowId | 0, index: number, column: this) => void): void;
  subarray(start?: number, end?: number): IdColumn;
  values(): IterableIterator<RowId | 0>;
  [Symbol.iterator](): IterableIterator<RowId | 0>;
}
