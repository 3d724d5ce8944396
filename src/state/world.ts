// What the compiler knows of a state: from its fields, what a step reads and writes.
import type { Column, Field } from "./fields.js";
import type { ListElement, ListPart, RowFields, TablePart } from "./parts.js";

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

/** A state, to read: what a session shows. Only its steps write. */
export type ReadonlyWorld<S> = { readonly [K in keyof S]: ReadOnly<Held<S[K]>> };

type ReadOnly<T> = T extends number | boolean | ((...values: never) => unknown)
  ? T
  : T extends Column
    ? Readonly<T>
    : { readonly [K in keyof T]: ReadOnly<T[K]> };

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

/** Rows that come and go. A row keeps its place as long as it is there, and its id is never given to another. */
export interface TableMethods<R> {
  /** The id of each row; 0 or less where there is none. */
  readonly id: Float64Array;
  readonly capacity: number;
  /** Rows that are there. */
  readonly count: number;
  /** All rows that are there lie before this one: `for (let i = 0; i < crates.end; i++) if (crates.id[i]! > 0) ...`. */
  readonly end: number;
  /** Adds a row, and returns its id. A table that is full throws: ask `count < capacity` where that may be. */
  add(values?: RowValues<R>): number;
  /** Removes the row with this id and fills it with zeros. False if it is gone already. */
  remove(id: number): boolean;
  /** Where the row with this id lies; -1 if it is gone. */
  row(id: number): number;
  /** Removes all rows. */
  clear(): void;
}

export type Table<R> = TableMethods<R> & Columns<R>;
