// The type of a world, derived from its declared fields.
import type { Column, Field } from "./fields.js";
import type { ListElement, ListPart, RowFields, TablePart, TrailPart } from "./parts.js";
import type { ReadonlyColumn } from "./readonly.js";
import type { RowId } from "./row-id.js";
import type { ReadonlyTrail, Trail, TrailColumn } from "./trail-types.js";

/** The names of single values, which can be assigned. Everything else is filled. */
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
        : P extends TrailPart<infer F>
          ? Trail<F>
          : World<P>;

/** A world to read and write: `world.score += 1`, `world.crates.x[row]`. */
export type World<S> = { [K in Assigned<S>]: Held<S[K]> } & {
  readonly [K in Exclude<keyof S, Assigned<S>>]: Held<S[K]>;
};

type ListOf<E extends ListElement> =
  E extends Field<unknown, infer C> ? C : E extends RowFields ? Columns<E> : never;

type ColumnOf<P> =
  P extends Field<unknown, infer C>
    ? C
    : P extends ListPart<infer E>
      ? ListOf<E>
      : P extends TrailPart<infer F>
        ? TrailColumn<F>
        : Columns<P>;

/** The columns of a group: typed arrays with one value per row, or several numbers per row for vectors and lists. */
export type Columns<R> = {
  readonly [K in keyof R]: ColumnOf<R[K]>;
};

/** The initial values of a new row. Omitted fields are 0. */
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
      : P extends TrailPart<infer F>
        ? ReadonlyTrail<F>
        : RowValues<P>;

declare const WRITABLE: unique symbol;

/** The properties of a row besides its fields. */
export interface RowKeys {
  /** The id of the row, which no other row ever gets. */
  readonly id: RowId;
  /** The row number, to index columns with. */
  readonly row: number;
}

/**
 * A row of a table as an object: `drop.vy -= 9.81 * dt`. You get one from a loop over the table, or from `get`. Do not keep a
 * row object from a loop, as the loop reuses it for the next row. Keep its `id`.
 */
export type Row<R> = World<R> &
  RowKeys & {
    /** Only for the compiler: a read-only row is not assignable to a `Row`. */ readonly [WRITABLE]: true;
  };

/** The methods of a table. A row keeps its number until it is removed, and no other row ever gets its id. */
export interface TableMethods<R> {
  /** The id of each row. 0 or less for a free row. */
  readonly id: ReadonlyColumn<Float64Array, RowId>;
  /** Maximum number of rows. */
  readonly capacity: number;
  /** Number of live rows. */
  readonly count: number;
  /** All live rows come before this one: `for (let i = 0; i < crates.end; i++) if (crates.id[i]! > 0) ...`. 0 if there are none. */
  readonly end: number;
  /** Adds a row and returns its id. Throws if the table is full: check `count < capacity` first if that can happen. */
  add(values?: RowValues<R>): RowId;
  /** Removes a row, by its id or as an object. Takes no row number. Returns false if the row was already removed. */
  remove(row: RowId | Row<R>): boolean;
  /**
   * Returns the row with this id as an object, or undefined if it was removed. The object is valid until the row is removed.
   * After that it shows the row that reuses its number, or, in a guarded step, throws.
   */
  get(id: RowId | 0): Row<R> | undefined;
  /**
   * Loops over the rows that are live when the loop begins, in the order of their numbers. Rows may be added and removed
   * meanwhile: removed rows are skipped, and new rows are not visited.
   */
  [Symbol.iterator](): Iterator<Row<R>, undefined>;
  /** Returns the number of the row with this id, to index columns with, or -1 if it was removed. */
  row(id: RowId | 0): number;
  /** Removes all rows. */
  clear(): void;
}

/** A table of a world: its columns by name, and methods to add, find and remove rows. */
export type Table<R> = TableMethods<R> & Columns<R>;
