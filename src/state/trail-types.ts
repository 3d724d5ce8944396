// The types of trails in a world.
import type { Column, Field } from "./fields.js";
import type { TrailFields } from "./parts.js";
import type { RowNumber } from "./row-id.js";

/** The values of one push: any object with these properties, such as the row itself. */
export type TrailValues<F extends TrailFields> = {
  readonly [K in keyof F]: F[K] extends Field<infer V, Column>
    ? V extends Column
      ? ArrayLike<number>
      : V
    : never;
};

/** An object that `read` writes to, with an array for each vector. */
export type TrailTarget<F extends TrailFields> = {
  [K in keyof F]: F[K] extends Field<infer V, Column>
    ? V extends Column
      ? { [index: number]: number; readonly length: number }
      : V
    : never;
};

/** The names of the fields with a single value. */
type Single<F extends TrailFields> = {
  [K in keyof F]: F[K] extends Field<infer V, Column> ? (V extends Column ? never : K) : never;
}[keyof F];

type ValueOf<P> = P extends Field<infer V, Column> ? V : never;

/** A read-only trail, such as one in `session.world`. */
export interface ReadonlyTrail<F extends TrailFields> {
  /** Maximum number of values. */
  readonly capacity: number;
  /** Number of values that were pushed, up to `capacity`. */
  readonly count: number;
  /**
   * Returns a field as it was `ago` ticks before the last push: 0 is the value of the last push. Between two ticks, floats are
   * blended, angles along the shorter arc; other fields keep the earlier value. Before the first value that is left, returns
   * that value. An empty trail returns 0.
   */
  at<K extends Single<F>>(ago: number, name: K): ValueOf<F[K]>;
  /** Writes all fields, as they were `ago` ticks before the last push, to `out`, and returns it. Vectors need an array there. */
  read<O extends TrailTarget<F>>(ago: number, out: O): O;
}

/** A trail: the last values of some fields. Push once per tick. */
export interface Trail<F extends TrailFields> extends ReadonlyTrail<F> {
  /** Adds values, and drops the oldest ones if the trail is full. Pass the row itself if it has fields of these names. */
  push(values: TrailValues<F>): void;
  /** Drops all values, for example after a respawn. */
  clear(): void;
}

/** The trails of all rows of a read-only table or list. The methods are those of a trail, with a row number. */
export interface ReadonlyTrailColumn<F extends TrailFields> {
  /** Maximum number of values of a row. */
  readonly capacity: number;
  /** Returns the number of values of a row. */
  count(row: RowNumber): number;
  /** Returns a field of a row as it was `ago` ticks before its last push. */
  at<K extends Single<F>>(row: RowNumber, ago: number, name: K): ValueOf<F[K]>;
  /** Writes all fields of a row, as they were `ago` ticks before its last push, to `out`, and returns it. */
  read<O extends TrailTarget<F>>(row: RowNumber, ago: number, out: O): O;
}

/** The trails of all rows of a table or list. The methods are those of a trail, with a row number. */
export interface TrailColumn<F extends TrailFields> extends ReadonlyTrailColumn<F> {
  /** Adds values to the trail of a row. */
  push(row: RowNumber, values: TrailValues<F>): void;
  /** Drops all values of a row. */
  clear(row: RowNumber): void;
}
