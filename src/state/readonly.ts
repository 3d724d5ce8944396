// The types of a read-only state.
import type { Column, Field } from "./fields.js";
import type { ListElement, ListPart, RowFields, TablePart, TrailPart } from "./parts.js";
import type { RowId } from "./row-id.js";
import type { ReadonlyTrail, ReadonlyTrailColumn } from "./trail-types.js";
import type { RowKeys, TableMethods } from "./world.js";

/** A read-only world, such as `session.world`. Only steps write to it. */
export type ReadonlyWorld<S> = { readonly [K in keyof S]: ReadonlyHeld<S[K]> };

type ReadonlyHeld<P> =
  P extends Field<infer V, Column>
    ? V extends Column
      ? ReadonlyColumn<V>
      : V
    : P extends TablePart<infer R>
      ? ReadonlyTable<R>
      : P extends ListPart<infer E>
        ? ReadonlyListOf<E>
        : P extends TrailPart<infer F>
          ? ReadonlyTrail<F>
          : ReadonlyWorld<P>;

/** A read-only row of a table, from a loop over a `ReadonlyTable` or its `get`. */
export type ReadonlyRow<R> = ReadonlyWorld<R> & RowKeys;

interface ReadonlyRows<R> {
  get(id: RowId | 0): ReadonlyRow<R> | undefined;
  [Symbol.iterator](): Iterator<ReadonlyRow<R>, undefined>;
}

type Written = "add" | "remove" | "clear";

/** A read-only table. */
export type ReadonlyTable<R> = Omit<TableMethods<R>, Written | keyof ReadonlyRows<R>> &
  ReadonlyRows<R> &
  ReadonlyColumns<R>;

type ReadonlyColumns<R> = {
  readonly [K in keyof R]: ReadonlyColumnOf<R[K]>;
};

type ReadonlyColumnOf<P> =
  P extends Field<unknown, infer C>
    ? ReadonlyColumn<C>
    : P extends ListPart<infer E>
      ? ReadonlyListOf<E>
      : P extends TrailPart<infer F>
        ? ReadonlyTrailColumn<F>
        : ReadonlyColumns<P>;

type ReadonlyListOf<E extends ListElement> =
  E extends Field<unknown, infer C> ? ReadonlyColumn<C> : E extends RowFields ? ReadonlyColumns<E> : never;

/** The type of a copy of a column. */
type Copy<C extends Column> = ReturnType<C["slice"]>;

/**
 * A read-only typed array, without the members that write. Methods that copy return a plain typed array. `buffer` exists for
 * APIs that take views of memory, such as WebGL.
 */
export interface ReadonlyColumn<C extends Column = Column, V extends number = C[number]> {
  readonly [index: number]: V;
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly BYTES_PER_ELEMENT: number;
  readonly [Symbol.toStringTag]: string;
  [Symbol.iterator](): IterableIterator<V>;
  at(index: number): V | undefined;
  entries(): IterableIterator<[number, number]>;
  every(predicate: (value: number, index: number, column: this) => unknown): boolean;
  filter(predicate: (value: number, index: number, column: this) => unknown): Copy<C>;
  find(predicate: (value: number, index: number, column: this) => unknown): number | undefined;
  findIndex(predicate: (value: number, index: number, column: this) => unknown): number;
  forEach(callback: (value: V, index: number, column: this) => void): void;
  includes(value: number, from?: number): boolean;
  indexOf(value: number, from?: number): number;
  join(separator?: string): string;
  keys(): IterableIterator<number>;
  lastIndexOf(value: number): number;
  map(callback: (value: number, index: number, column: this) => number): Copy<C>;
  reduce(callback: (result: number, value: number, index: number, column: this) => number): number;
  reduce<T>(callback: (result: T, value: number, index: number, column: this) => T, initial: T): T;
  reduceRight(callback: (result: number, value: number, index: number, column: this) => number): number;
  reduceRight<T>(callback: (result: T, value: number, index: number, column: this) => T, initial: T): T;
  slice(start?: number, end?: number): Copy<C>;
  some(predicate: (value: number, index: number, column: this) => unknown): boolean;
  subarray(start?: number, end?: number): ReadonlyColumn<C, V>;
  toString(): string;
  values(): IterableIterator<V>;
}
