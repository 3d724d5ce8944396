import type { IdColumn, RowId } from "./row-id.js";

/** How numbers lie in memory. */
export const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
} as const;

export type NumberType = keyof typeof ARRAYS;

interface ColumnTypes {
  f64: Float64Array;
  f32: Float32Array;
  i32: Int32Array;
  u32: Uint32Array;
  i16: Int16Array;
  u16: Uint16Array;
  i8: Int8Array;
  u8: Uint8Array;
}
/** A typed array with a value, or several numbers, for each row. */
export type Column<T extends NumberType = NumberType> = ColumnTypes[T];

/** How a field is blended. "hermite" follows a curve that the velocities give. */
type Mark = "lerp" | "angle" | "slerp" | "nlerp" | "hermite";

/** What a value is to those who read it: a number of one of several names is a "choice", several numbers a "vector". */
type Form = "number" | "boolean" | "choice" | "vector" | "quat";

/** What a field is, as `layout` reads it. */
export interface FieldSpec {
  readonly type: NumberType;
  /** Numbers that a value has. */
  readonly width: number;
  readonly form: Form;
  readonly mark?: Mark;
  /** The sibling that holds the velocity, for "hermite". */
  readonly velocity?: string;
  /** The names of a choice, by their number. */
  readonly names?: readonly string[];
  /** NaN and infinities are allowed. Does not change where the field lies. */
  readonly nonFinite?: boolean;
  /** Holds ids of rows, which a migration may have to change. It changes nothing about where the field lies. */
  readonly isId?: boolean;
}

export const SPEC = Symbol("field");

/** A field of a state: `V` is what it holds outside tables, `C` the column that it is in one. */
export class Field<V, C extends Column> {
  readonly [SPEC]: FieldSpec;
  /** Only for the compiler. */
  declare protected readonly value: V;
  declare protected readonly column: C;

  /** @internal Use `f64` and the other fields. */
  constructor(spec: FieldSpec) {
    this[SPEC] = spec;
  }
}

/** A field of floats. */
export class FloatField<V, C extends Column> extends Field<V, C> {
  /**
   * The same field, allowed to hold NaN and infinities. The sync test and the guard report them in all other fields. Does
   * not change the layout's fingerprint.
   */
  get allowNonFinite(): this {
    const Own = this.constructor as new (spec: FieldSpec) => this;
    return new Own({ ...this[SPEC], nonFinite: true });
  }
}

/** A number that can be blended. */
export class Blended<T extends "f64" | "f32"> extends FloatField<number, Column<T>> {
  /** Straight from one state to the next. */
  get lerp(): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], mark: "lerp" });
  }
  /** An angle in radians, by the short way. */
  get angle(): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], mark: "angle" });
  }
  /** On the curve that the velocity gives: the name of the field beside it that holds it, in units a second. */
  hermite(velocity: string): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], mark: "hermite", velocity });
  }
}

/** Several numbers that can be blended. */
export class Vector extends FloatField<Float64Array, Float64Array> {
  get lerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], mark: "lerp" });
  }
  hermite(velocity: string): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], mark: "hermite", velocity });
  }
}

/** A unit quaternion: x, y, z, w. */
export class Quaternion extends FloatField<Float64Array, Float64Array> {
  /** Turned evenly, the short way. */
  get slerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], mark: "slerp" });
  }
  /** Along the chord: cheaper, for crowds. */
  get nlerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], mark: "nlerp" });
  }
}

const number = <T extends NumberType>(type: T): Field<number, Column<T>> =>
  new Field({ type, width: 1, form: "number" });
const vector = (width: number) => new Vector({ type: "f64", width, form: "vector" });

/** A 64-bit float: the number of JavaScript. */
export const f64: Blended<"f64"> = new Blended({ type: "f64", width: 1, form: "number" });
/** A 32-bit float: half the memory of `f64`, rounded to about seven digits. */
export const f32: Blended<"f32"> = new Blended({ type: "f32", width: 1, form: "number" });
/** A signed 32-bit integer. As in a typed array, a number that does not fit wraps to its lowest bits. */
export const i32: Field<number, Int32Array> = number("i32");
/** An unsigned 32-bit integer. It wraps like `i32`. */
export const u32: Field<number, Uint32Array> = number("u32");
/** A signed 16-bit integer. It wraps like `i32`. */
export const i16: Field<number, Int16Array> = number("i16");
/** An unsigned 16-bit integer. It wraps like `i32`. */
export const u16: Field<number, Uint16Array> = number("u16");
/** A signed 8-bit integer. It wraps like `i32`. */
export const i8: Field<number, Int8Array> = number("i8");
/** An unsigned 8-bit integer. It wraps like `i32`. */
export const u8: Field<number, Uint8Array> = number("u8");
/** True or false; in a table, a column of 1 and 0. */
export const bool: Field<boolean, Uint8Array> = new Field({ type: "u8", width: 1, form: "boolean" });
/** The id of a table's row, or 0 for none. The table's `row(id)` returns the number of the row, or -1 if it is gone. */
export const id: Field<RowId | 0, IdColumn> = new Field({
  type: "f64",
  width: 1,
  form: "number",
  isId: true,
});

/** Two numbers: `position[0]` and `position[1]`; in a table, a column of twice the rows. */
export const vec2: Vector = vector(2);
/** Three numbers, in a table a column of three times the rows. */
export const vec3: Vector = vector(3);
/** Begins as 0, 0, 0, 0: give it a turn in `init`, such as 0, 0, 0, 1. */
export const quat: Quaternion = new Quaternion({ type: "f64", width: 4, form: "quat" });
