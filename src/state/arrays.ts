import { ARRAYS, type Column, type NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";
import type { Timelines } from "./timelines.js";

/** Memory, as numbers of each type. */
export type Arrays = { readonly [T in NumberType]: Column<T> };

/** All of a buffer, or so many bytes of it from a byte on. */
export function arraysOf(buffer: ArrayBuffer, from = 0, bytes = buffer.byteLength - from): Arrays {
  const all = <T extends NumberType>(type: T) =>
    new ARRAYS[type](buffer, from, Math.floor(bytes / ARRAYS[type].BYTES_PER_ELEMENT)) as Column<T>;
  return {
    f64: all("f64"),
    f32: all("f32"),
    i32: all("i32"),
    u32: all("u32"),
    i16: all("i16"),
    u16: all("u16"),
    i8: all("i8"),
    u8: all("u8"),
  };
}

/** Where the objects of a state find its numbers: arrays of that state alone. */
export interface StateMemory extends Arrays {
  readonly buffer: ArrayBuffer;
  /** The byte at which the state begins. */
  readonly base: number;
  /** The timelines of all states of the memory, and the index of this state in them: see `Timelines`. */
  readonly timelines: Timelines;
  readonly index: number;
}

export function stateMemoryOf(buffer: ArrayBuffer, index: number, bytes: number, timelines: Timelines): StateMemory {
  const base = index * bytes;
  return { ...arraysOf(buffer, base, bytes), buffer, base, timelines, index };
}

/** The numbers of a leaf, in one state. */
export function columnOf(leaf: Leaf, { buffer, base }: StateMemory): Column {
  return new ARRAYS[leaf.type](buffer, base + leaf.offset, leaf.stride * leaf.rows);
}
