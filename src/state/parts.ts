import { badValue, requireWhole } from "../errors/index.js";
import type { Column, Field } from "./fields.js";

export type AnyField = Field<unknown, Column>;

/** The declaration of a row: named fields, lists of fields, trails, and nested groups. */
export interface RowFields {
  readonly [name: string]: AnyField | ListPart<AnyField> | TrailPart<TrailFields> | RowFields;
}

/** The declaration of a state: fields, groups, tables, lists and trails, by name. */
export interface Fields {
  readonly [name: string]:
    | AnyField
    | TablePart<RowFields>
    | ListPart<ListElement>
    | TrailPart<TrailFields>
    | Fields;
}

export type ListElement = AnyField | RowFields;

/** The declaration of a trail's values: named fields. */
export interface TrailFields {
  readonly [name: string]: AnyField;
}

/** A table of 2^24 rows of one byte takes 300 MB, with its bookkeeping. */
const MAX_ROWS = 16777216;

function requireRows(call: string, rows: number): void {
  requireWhole(call, rows, 1, 1024);
  if (rows > MAX_ROWS) badValue(call, `at most ${MAX_ROWS}`, rows, 1024);
}

/** A declared table: the result of `table`. */
export class TablePart<R extends RowFields> {
  /** @internal Use `table`. */
  constructor(
    readonly capacity: number,
    readonly row: R,
    /** @internal */ readonly isSecret = false,
  ) {
    requireRows("table: capacity", capacity);
  }

  /** The same table, never sent to clients in a snapshot: they see no rows. */
  get secret(): TablePart<R> {
    return new TablePart(this.capacity, this.row, true);
  }
}

/** A declared list: the result of `list`. */
export class ListPart<E extends ListElement> {
  /** @internal Use `list`. */
  constructor(
    readonly length: number,
    readonly element: E,
  ) {
    requireRows("list: length", length);
  }
}

/** The position of a trail is a 16-bit number below twice its capacity. */
const MAX_TRAIL = 32767;

/** A declared trail: the result of `trail`. */
export class TrailPart<F extends TrailFields> {
  /** @internal Use `trail`. */
  constructor(
    readonly ticks: number,
    readonly values: F,
  ) {
    requireWhole("trail: ticks", ticks, 1, 15);
    if (ticks > MAX_TRAIL) badValue("trail: ticks", `at most ${MAX_TRAIL}`, ticks, 15);
  }

  /** The same trail, never sent to clients in a snapshot: it is empty there. */
  get secret(): TrailPart<F> {
    const fields = Object.entries(this.values).map(([name, field]) => [name, field.secret]);
    return new TrailPart(this.ticks, Object.fromEntries(fields) as F);
  }
}

/** Declares a table of up to `capacity` rows, which are added and removed at run time. Memory is allocated for all of them. */
export function table<const R extends RowFields>(capacity: number, row: R): TablePart<R> {
  return new TablePart(capacity, row);
}

/** Declares a list of fixed length: of a field, as one typed array; or of a group, as columns. */
export function list<const E extends ListElement>(length: number, element: E): ListPart<E> {
  return new ListPart(length, element);
}

/**
 * Declares a trail: the last `ticks` values of some fields. A step pushes the current values once per tick, and reads those of
 * earlier ticks, for example to judge a shot by what the shooter saw.
 */
export function trail<const F extends TrailFields>(ticks: number, values: F): TrailPart<F> {
  return new TrailPart(ticks, values);
}
