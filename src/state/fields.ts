import { badValue } from "../errors/index.js";
import type { IdColumn, RowId } from "./row-id.js";

/** @internal The typed array for each number type. */
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

/** The type of a number in memory. */
export type NumberType = keyof ColumnTypes;

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
/** A typed array with one value per row, or several numbers per row. */
export type Column<T extends NumberType = NumberType> = ColumnTypes[T];

/** How a field is blended. "hermite" follows the cubic curve that the velocities define. */
type BlendMode = "lerp" | "angle" | "slerp" | "nlerp" | "hermite";

/** How a value is shown to users: a "choice" is the number of a name, a "vector" is several numbers. */
type Form = "number" | "boolean" | "choice" | "vector" | "quat";

/** @internal The properties of a field, as `layout` reads them. */
export interface FieldSpec {
  readonly type: NumberType;
  /** Numbers per value. */
  readonly width: number;
  readonly form: Form;
  readonly blendMode?: BlendMode;
  /** The name of the sibling field that holds the velocity, for "hermite". */
  readonly velocity?: string;
  /** The names of a choice, in the order of their numbers. */
  readonly names?: readonly string[];
  /** Allows NaN and infinities. Does not change the layout. */
  readonly nonFinite?: boolean;
  /** Holds row ids, which a migration may have to change. Does not change the layout. */
  readonly isId?: boolean;
  /** How snapshots round the value: the step, or bits per component for a quaternion. Does not change the layout. */
  readonly quantum?: number;
  /** Never sent to a peer in a snapshot. Does not change the layout. */
  readonly isSecret?: boolean;
}

/** @internal */
export const SPEC = Symbol("field");

declare const VALUE: unique symbol;
declare const COLUMN: unique symbol;

/** A field of a state. `V` is its value outside tables, `C` its column in a table. */
export class Field<V, C extends Column> {
  /** @internal */
  readonly [SPEC]: FieldSpec;
  /** Only for the compiler. */
  declare protected readonly [VALUE]: V;
  declare protected readonly [COLUMN]: C;

  /** @internal Use `f64` and the other fields. */
  constructor(spec: FieldSpec);
  /** Not for users: use `f64` and the other fields. */
  constructor(never: never);
  /** @internal */
  constructor(spec: FieldSpec) {
    this[SPEC] = spec;
  }

  /** The same field, never sent to clients in a snapshot: they see 0. Does not change the layout's fingerprint. */
  get secret(): this {
    return marked(this, { isSecret: true });
  }
}

/** Returns a field of the same class with more marks. A choice keeps its values. */
function marked<F extends Field<unknown, Column>>(field: F, marks: Partial<FieldSpec>): F {
  const copy = Object.create(
    Object.getPrototypeOf(field) as object,
    Object.getOwnPropertyDescriptors(field),
  ) as F;
  return Object.defineProperty(copy, SPEC, { value: { ...field[SPEC], ...marks } });
}

/** A field of floats. */
export class FloatField<V, C extends Column> extends Field<V, C> {
  /**
   * The same field, allowed to hold NaN and infinities. The sync test and the guard report them in all other fields. Does
   * not change the layout's fingerprint.
   */
  get allowNonFinite(): this {
    return marked(this, { nonFinite: true });
  }

  /**
   * The same field, rounded in snapshots that are sent to other peers: to a multiple of `precision`, as in
   * `f64.quantize(1 / 512)`. For a quaternion, `precision` is the number of bits per component, as in `quat.quantize(9)`: its
   * largest component is not sent. The state itself keeps its exact values. Does not change the layout's fingerprint.
   */
  quantize(precision: number): this {
    const isQuat = this[SPEC].form === "quat";
    const isBits = Number.isInteger(precision) && precision >= 2 && precision <= 20;
    const isStep = typeof precision === "number" && precision > 0 && precision < Infinity;
    if (isQuat && !isBits) badValue("quat.quantize: bits", "a whole number from 2 to 20", precision, 9);
    if (!isQuat && !isStep) badValue("quantize: step", "a positive number", precision, 1 / 512);
    return marked(this, { quantum: precision });
  }
}

/** A number that can be blended. */
export class Blended<T extends "f64" | "f32"> extends FloatField<number, Column<T>> {
  /** Blends along a straight line. */
  get lerp(): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], blendMode: "lerp" });
  }
  /** Blends an angle in radians along the shorter arc. */
  get angle(): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], blendMode: "angle" });
  }
  /**
   * Blends along a cubic curve that also follows the velocity. `velocity` is the name of the field in the same group that
   * holds it, in units per second.
   */
  hermite(velocity: string): FloatField<number, Column<T>> {
    return new FloatField({ ...this[SPEC], blendMode: "hermite", velocity });
  }
}

/** A vector that can be blended. */
export class Vector extends FloatField<Float64Array, Float64Array> {
  /** Blends along a straight line. */
  get lerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], blendMode: "lerp" });
  }
  /** Blends along a cubic curve that also follows the velocity, which is another vector of the same group. */
  hermite(velocity: string): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], blendMode: "hermite", velocity });
  }
}

/** A unit quaternion: x, y, z, w. */
export class Quaternion extends FloatField<Float64Array, Float64Array> {
  /** Rotates at constant speed along the shorter arc. */
  get slerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], blendMode: "slerp" });
  }
  /** Interpolates linearly and normalizes: cheaper than `slerp`, for large numbers of bodies. */
  get nlerp(): FloatField<Float64Array, Float64Array> {
    return new FloatField({ ...this[SPEC], blendMode: "nlerp" });
  }
}

const number = <T extends NumberType>(type: T): Field<number, Column<T>> =>
  new Field({ type, width: 1, form: "number" });
const vector = (width: number) => new Vector({ type: "f64", width, form: "vector" });

/** A 64-bit float: a JavaScript number. */
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
/** The id of a table's row, or 0 for none. The table's `row(id)` returns the row number, or -1 if the row was removed. */
export const id: Field<RowId | 0, IdColumn> = new Field({
  type: "f64",
  width: 1,
  form: "number",
  isId: true,
});

/** Two numbers: `position[0]` and `position[1]`; in a table, a column with two numbers per row. */
export const vec2: Vector = vector(2);
/** Three numbers; in a table, a column with three numbers per row. */
export const vec3: Vector = vector(3);
/** A unit quaternion (x, y, z, w). It starts as 0, 0, 0, 0, which is no rotation at all: set it in `init`, for example to 0, 0, 0, 1. */
export const quat: Quaternion = new Quaternion({ type: "f64", width: 4, form: "quat" });
