import { badValue, requireWhole } from "../errors/index.js";
import type { Column, Field } from "./fields.js";

export type AnyField = Field<unknown, Column>;

/** What a row is made of: named fields, lists of them, and groups in one another. */
export interface RowFields {
  readonly [name: string]: AnyField | ListPart<AnyField> | RowFields;
}

/** What a state is made of: fields, groups, tables and lists, by name. */
export interface Fields {
  readonly [name: string]: AnyField | TablePart<RowFields> | ListPart<ListElement> | Fields;
}

export type ListElement = AnyField | RowFields;

/** Rows at most 2^24: a table of a single byte a row is then 300 MB, with what it keeps about its rows. */
const MAX_ROWS = 16777216;

function requireRows(call: string, rows: number): void {
  requireWhole(call, rows, 1, 1024);
  if (rows > MAX_ROWS) badValue(call, `at most ${MAX_ROWS}`, rows, 1024);
}

/** A table, as `table` declares it. */
export class TablePart<R extends RowFields> {
  constructor(
    readonly capacity: number,
    readonly row: R,
  ) {
    requireRows("table: capacity", capacity);
  }
}

/** A list, as `list` declares it. */
export class ListPart<E extends ListElement> {
  constructor(
    readonly length: number,
    readonly element: E,
  ) {
    requireRows("list: length", length);
  }
}

/** Rows that come and go, as columns: `world.crates.x[row]`. Its memory is that of so many rows, used or not. */
export function table<const R extends RowFields>(capacity: number, row: R): TablePart<R> {
  return new TablePart(capacity, row);
}

/** So many of a field, as one typed array; or of a group, as columns. All of them are always there. */
export function list<const E extends ListElement>(length: number, element: E): ListPart<E> {
  return new ListPart(length, element);
}
