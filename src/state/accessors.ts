import type { StateMemory } from "./arrays.js";
import { ARRAYS, type NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { isCode, badFieldValue } from "./values.js";

/**
 * An object with fields as properties. `$memory` is a string key, not a symbol: many classes share the getters below, and V8
 * is only fast with string keys there. It cannot clash with a field, as field names contain no $.
 */
interface WorldObject {
  readonly $memory: StateMemory;
}
type Accessor = PropertyDescriptor & ThisType<WorldObject>;
type Wrong = (value: unknown) => never;

/** Numbers as properties. Written out by type, as a computed key is ten times slower; and short, so that V8 inlines them. */
const NUMBERS: Record<NumberType, (index: number, wrong: Wrong) => Accessor> = {
  f64: (index, wrong) => ({
    get() {
      return this.$memory.f64[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.f64[index] = value;
    },
  }),
  f32: (index, wrong) => ({
    get() {
      return this.$memory.f32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.f32[index] = value;
    },
  }),
  i32: (index, wrong) => ({
    get() {
      return this.$memory.i32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.i32[index] = value;
    },
  }),
  u32: (index, wrong) => ({
    get() {
      return this.$memory.u32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.u32[index] = value;
    },
  }),
  i16: (index, wrong) => ({
    get() {
      return this.$memory.i16[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.i16[index] = value;
    },
  }),
  u16: (index, wrong) => ({
    get() {
      return this.$memory.u16[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.u16[index] = value;
    },
  }),
  i8: (index, wrong) => ({
    get() {
      return this.$memory.i8[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.i8[index] = value;
    },
  }),
  u8: (index, wrong) => ({
    get() {
      return this.$memory.u8[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$memory.u8[index] = value;
    },
  }),
};

const booleanAt = (index: number, wrong: Wrong): Accessor => ({
  get() {
    return this.$memory.u8[index] !== 0;
  },
  set(value: boolean) {
    if (typeof value !== "boolean") wrong(value);
    this.$memory.u8[index] = value ? 1 : 0;
  },
});

const choiceAt = (index: number, names: readonly string[], wrong: Wrong): Accessor => ({
  get() {
    return this.$memory.u8[index];
  },
  set(value: number) {
    if (!isCode(names, value)) wrong(value);
    this.$memory.u8[index] = value;
  },
});

/** Returns the property that reads and writes a field. */
export function accessorOf(leaf: Leaf): Accessor {
  const { type, offset, form, names, tail } = leaf;
  const wrong = (value: unknown) => badFieldValue(`world.${tail}`, leaf, value);
  const index = offset / ARRAYS[type].BYTES_PER_ELEMENT;
  if (form === "boolean") return booleanAt(index, wrong);
  return names ? choiceAt(index, names, wrong) : NUMBERS[type](index, wrong);
}
