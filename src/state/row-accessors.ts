import { pathOf } from "./diff.js";
import { ARRAYS, type NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";
import type { RowPointer } from "./row-pointer.js";
import { isCode, badFieldValue } from "./values.js";

/** A cursor, or a group in one. `$at` is a string key, and getters are short, for the reasons given in `accessors.ts`. */
export interface CursorObject {
  readonly $at: RowPointer;
}
export type RowAccessor = PropertyDescriptor & ThisType<CursorObject>;
type Wrong = (value: unknown, cursor: CursorObject) => never;

/** Numbers of a row. Written out by type, as in `accessors.ts`. */
const NUMBERS: Record<NumberType, (first: number, wrong: Wrong) => RowAccessor> = {
  f64: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.f64[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.f64[first + at.row] = value;
    },
  }),
  f32: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.f32[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.f32[first + at.row] = value;
    },
  }),
  i32: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.i32[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.i32[first + at.row] = value;
    },
  }),
  u32: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.u32[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.u32[first + at.row] = value;
    },
  }),
  i16: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.i16[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.i16[first + at.row] = value;
    },
  }),
  u16: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.u16[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.u16[first + at.row] = value;
    },
  }),
  i8: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.i8[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.i8[first + at.row] = value;
    },
  }),
  u8: (first, wrong) => ({
    get() {
      const at = this.$at;
      return at.u8[first + at.row];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value, this);
      const at = this.$at;
      at.u8[first + at.row] = value;
    },
  }),
};

const booleanAt = (first: number, wrong: Wrong): RowAccessor => ({
  get() {
    const at = this.$at;
    return at.u8[first + at.row] !== 0;
  },
  set(value: boolean) {
    if (typeof value !== "boolean") wrong(value, this);
    const at = this.$at;
    at.u8[first + at.row] = value ? 1 : 0;
  },
});

const choiceAt = (first: number, names: readonly string[], wrong: Wrong): RowAccessor => ({
  get() {
    const at = this.$at;
    return at.u8[first + at.row];
  },
  set(value: number) {
    if (!isCode(names, value)) wrong(value, this);
    const at = this.$at;
    at.u8[first + at.row] = value;
  },
});

/** A vector or list of a row, as a typed array. */
const viewAt = (index: number): RowAccessor => ({
  get() {
    return this.$at.views[index]!.at(this.$at.row);
  },
});

/** Returns the property for a field of a row. Fields with several numbers are added to `viewed`, and read through `RowPointer.views`. */
export function rowAccessorOf(leaf: Leaf, viewed: Leaf[]): RowAccessor {
  const { type, offset, form, names, width, length } = leaf;
  if (width > 1 || length !== undefined) return viewAt(viewed.push(leaf) - 1);
  const wrong: Wrong = (value, { $at: { row } }) => badFieldValue(`world.${pathOf(leaf, row)}`, leaf, value);
  const first = offset / ARRAYS[type].BYTES_PER_ELEMENT;
  if (form === "boolean") return booleanAt(first, wrong);
  return names ? choiceAt(first, names, wrong) : NUMBERS[type](first, wrong);
}
