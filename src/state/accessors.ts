import type { Home } from "./arrays.js";
import { ARRAYS, type NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { isCode, refuseValue } from "./values.js";

/**
 * What has fields as properties. A plain name, and not a symbol: many classes share each getter below, and only by a
 * name does V8 find the home of each as fast as if it were alone. No field is called so, as none has a $.
 */
interface Homed {
  readonly $home: Home;
}
type Accessor = PropertyDescriptor & ThisType<Homed>;
type Wrong = (value: unknown) => never;

/** Numbers as properties. Written out by type, as a name in a variable is ten times slower; and short, to be inlined. */
const NUMBERS: Record<NumberType, (index: number, wrong: Wrong) => Accessor> = {
  f64: (index, wrong) => ({
    get() {
      return this.$home.f64[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.f64[index] = value;
    },
  }),
  f32: (index, wrong) => ({
    get() {
      return this.$home.f32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.f32[index] = value;
    },
  }),
  i32: (index, wrong) => ({
    get() {
      return this.$home.i32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.i32[index] = value;
    },
  }),
  u32: (index, wrong) => ({
    get() {
      return this.$home.u32[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.u32[index] = value;
    },
  }),
  i16: (index, wrong) => ({
    get() {
      return this.$home.i16[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.i16[index] = value;
    },
  }),
  u16: (index, wrong) => ({
    get() {
      return this.$home.u16[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.u16[index] = value;
    },
  }),
  i8: (index, wrong) => ({
    get() {
      return this.$home.i8[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.i8[index] = value;
    },
  }),
  u8: (index, wrong) => ({
    get() {
      return this.$home.u8[index];
    },
    set(value: number) {
      if (typeof value !== "number") wrong(value);
      this.$home.u8[index] = value;
    },
  }),
};

const booleanAt = (index: number, wrong: Wrong): Accessor => ({
  get() {
    return this.$home.u8[index] !== 0;
  },
  set(value: boolean) {
    if (typeof value !== "boolean") wrong(value);
    this.$home.u8[index] = value ? 1 : 0;
  },
});

const choiceAt = (index: number, names: readonly string[], wrong: Wrong): Accessor => ({
  get() {
    return this.$home.u8[index];
  },
  set(value: number) {
    if (!isCode(names, value)) wrong(value);
    this.$home.u8[index] = value;
  },
});

/** A field as a property. */
export function accessorOf(leaf: Leaf): Accessor {
  const { type, offset, form, names, tail } = leaf;
  const wrong = (value: unknown) => refuseValue(`world.${tail}`, leaf, value);
  const index = offset / ARRAYS[type].BYTES_PER_ELEMENT;
  if (form === "boolean") return booleanAt(index, wrong);
  return names ? choiceAt(index, names, wrong) : NUMBERS[type](index, wrong);
}
