// What the compiler knows of a state: from its fields, what a step reads and writes.
import type { Column, Field } from "./fields.js";
import type { ListElement, ListPart, RowFields, TablePart } from "./parts.js";
import type { ReadonlyColumn } from "./readonly.js";
import type { RowId } from "./row-id.js";

/** Numbers and such, which are assigned; all else is there to be filled. */
type Assigned<S> = {
  [K in keyof S]: S[K] extends Field<infer V, Column> ? (V extends Column ? never : K) : never;
}[keyof S];

type Held<P> =
  P extends Field<infer V, Column>
    ? V
    : P extends TablePart<infer R>
      ? Table<R>
      : P extends ListPart<infer E>
        ? ListOf<E>
        : World<P>;

/** A state, to read and to write: `world.score += 1`, `world.crates.x[row]`. */
export type World<S> = { [K in Assigned<S>]: Held<S[K]> } & {
  readonly [K in Exclude<keyof S, Assigned<S>>]: Held<S[K]>;
};

type ListOf<E extends ListElement> =
  E extends Field<unknown, infer C> ? C : E extends RowFields ? Columns<E> : never;

type ColumnOf<P> =
  P extends Field<unknown, infer C> ? C : P extends ListPart<infer E> ? ListOf<E> : Columns<P>;

/** The columns of a group: typed arrays with a value a row; a vector or a list has as many as it has numbers. */
export type Columns<R> = {
  readonly [K in keyof R]: ColumnOf<R[K]>;
};

/** What a new row begins with. What is left out is 0. */
export type RowValues<R> = {
  readonly [K in keyof R]?: ValueOf<R[K]>;
};

type ValueOf<P> =
  P extends Field<infer V, Column>
    ? V extends Column
      ? ArrayLike<number>
      : V
    : P extends ListPart<Field<infer V, Column>>
      ? ArrayLike<V extends Column ? number : V>
      : RowValues<P>;

declare const WRITABLE: unique symbol;

/** What each row of a table has beside its fields. */
export interface RowKeys {
  readonly id: RowId;
  /** Its number, to index columns with. */
  readonly row: number;
}

/**
 * A row of a table as an object: `drop.vy -= 9.81 * dt`. Loops and `get` hand it out. Do not keep one that a loop gave you:
 * the loop uses the same object for the next row. Keep its `id`.
 */
export type Row<R> = World<R> &
  RowKeys & { /** Only for the compiler: a row to read is not one to write. */ readonly [WRITABLE]: true };

/** Rows that come and go. A row stays in its place until it is removed, and its id is never given to another. */
export interface TableMethods<R> {
  /** The id of each row; 0 or less for a free row. */
  readonly id: ReadonlyColumn<Float64Array, RowId>;
  readonly capacity: number;
  /** Live rows. */
  readonly count: number;
  /** All live rows lie before this one: `for (let i = 0; i < crates.end; i++) if (crates.id[i]! > 0) ...`. 0 if there are none. */
  readonly end: number;
  /** Adds a row and returns its id. Throws if the table is full: check `count < capacity` first where that may happen. */
  add(values?: RowValues<R>): RowId;
  /** Removes a row: the one with this id, not the one with this number. Returns false if it is gone already. */
  remove(row: RowId | Row<R>): boolean;
  /**
   * The row with this id, as an object; undefined if it is gone. It stays valid until the row is removed. Without a guard,
   * it then shows whichever row takes its place.
   */
  get(id: RowId | 0): Row<R> | undefined;
  /**
   * Visits the rows that are live when the loop begins, by their numbers. Rows may be added and removed meanwhile: what is
   * removed before its turn is skipped, and what is added is not visited.
   */
  [Symbol.iterator](): Iterator<Row<R>, undefined>;
  /** The number of the row with this id, to index columns with; -1 if it is gone. */
  row(id: RowId | 0): number;
  /** Removes all rows. */
  clear(): void;
}

/** A table of a world: its columns by name, and the methods that add, find and remove rows. */
export type Table<R> = TableMethods<R> & Columns<R>;
