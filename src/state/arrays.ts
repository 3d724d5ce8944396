import { ARRAYS, type Column, type NumberType } from "./fields.js";
import type { Leaf } from "./leaves.js";
import type { Timelines } from "./timelines.js";

/** The same memory as a typed array of each type. */
export type Arrays = { readonly [T in NumberType]: Column<T> };

/** Returns views of a buffer, or of `bytes` bytes of it. */
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

/** The memory of one state: the world, or a snapshot. */
export interface StateMemory extends Arrays {
  readonly buffer: ArrayBuffer;
  /** The offset of the state in the buffer, in bytes. */
  readonly base: number;
  /** The timelines of all states in the buffer, and the index of this state among them. */
  readonly timelines: Timelines;
  readonly index: number;
}

export function stateMemoryOf(
  buffer: ArrayBuffer,
  index: number,
  bytes: number,
  timelines: Timelines,
): StateMemory {
  const base = index * bytes;
  return { ...arraysOf(buffer, base, bytes), buffer, base, timelines, index };
}

/** Returns the numbers of a leaf in one state. */
export function columnOf(leaf: Leaf, { buffer, base }: StateMemory): Column {
  return new ARRAYS[leaf.type](buffer, base + leaf.offset, leaf.stride * leaf.rows);
}
