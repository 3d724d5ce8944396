declare const ROW_ID: unique symbol;

/**
 * The id of a table's row, as returned by `add`. The compiler tells it from a row number: `row(id)` converts an id to the
 * number of its row, and `id[row]` a row number to the id.
 */
export type RowId = number & { readonly [ROW_ID]: true };

/** The number of a row: any number except a `RowId`. */
export type RowNumber = number & { readonly [ROW_ID]?: never };

/** A column of ids. 0 stands for none. */
export type IdColumn = Ids & Float64Array;

interface Ids {
  [index: number]: RowId | 0;
  at(index: number): RowId | 0 | undefined;
  forEach(callback: (value: RowId | 0, index: number, column: this) => void): void;
  subarray(start?: number, end?: number): IdColumn;
  values(): IterableIterator<RowId | 0>;
  [Symbol.iterator](): IterableIterator<RowId | 0>;
}
