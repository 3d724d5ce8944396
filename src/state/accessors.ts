import { refuse } from "../time/refuse.js";
import { HOME, type Home } from "./arrays.js";
import type { NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";

interface Homed {
  readonly [HOME]: Home;
}
interface Cell {
  read(home: Home): number;
  write(home: Home, value: number): void;
}

/** How a number at a byte of a state is read and written. Written out by type: a name in a variable is ten times slower. */
const CELLS: Record<NumberType, (offset: number) => Cell> = {
  f64: (offset) => ({
    read: ({ arrays, base }) => arrays.f64[(base + offset) >>> 3]!,
    write({ arrays, base }, value) {
      arrays.f64[(base + offset) >>> 3] = value;
    },
  }),
  f32: (offset) => ({
    read: ({ arrays, base }) => arrays.f32[(base + offset) >>> 2]!,
    write({ arrays, base }, value) {
      arrays.f32[(base + offset) >>> 2] = value;
    },
  }),
  i32: (offset) => ({
    read: ({ arrays, base }) => arrays.i32[(base + offset) >>> 2]!,
    write({ arrays, base }, value) {
      arrays.i32[(base + offset) >>> 2] = value;
    },
  }),
  u32: (offset) => ({
    read: ({ arrays, base }) => arrays.u32[(base + offset) >>> 2]!,
    write({ arrays, base }, value) {
      arrays.u32[(base + offset) >>> 2] = value;
    },
  }),
  i16: (offset) => ({
    read: ({ arrays, base }) => arrays.i16[(base + offset) >>> 1]!,
    write({ arrays, base }, value) {
      arrays.i16[(base + offset) >>> 1] = value;
    },
  }),
  u16: (offset) => ({
    read: ({ arrays, base }) => arrays.u16[(base + offset) >>> 1]!,
    write({ arrays, base }, value) {
      arrays.u16[(base + offset) >>> 1] = value;
    },
  }),
  i8: (offset) => ({
    read: ({ arrays, base }) => arrays.i8[base + offset]!,
    write({ arrays, base }, value) {
      arrays.i8[base + offset] = value;
    },
  }),
  u8: (offset) => ({
    read: ({ arrays, base }) => arrays.u8[base + offset]!,
    write({ arrays, base }, value) {
      arrays.u8[base + offset] = value;
    },
  }),
};

/** A field as a property. */
export function accessorOf({ type, offset, form, names, tail }: Leaf): PropertyDescriptor & ThisType<Homed> {
  const { read, write } = CELLS[type](offset);
  if (form === "boolean")
    return {
      get() {
        return read(this[HOME]) !== 0;
      },
      set(value: boolean) {
        write(this[HOME], value ? 1 : 0);
      },
    };
  const most = names ? names.length : 0;
  return {
    get() {
      return read(this[HOME]);
    },
    set(value: number) {
      if (typeof value !== "number") refuse(`world.${tail}`, "a number", value, 0);
      if (most > 0 && !(value >= 0 && value < most))
        refuse(`world.${tail}`, `the number of one of ${names?.join(", ")}`, value, 0);
      write(this[HOME], value);
    },
  };
}
