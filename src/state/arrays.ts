import { ARRAYS, type Column, type NumberType } from "./fields.js";

/** All memory, as numbers of each type. */
export type Arrays = { readonly [T in NumberType]: Column<T> };

export function arraysOf(buffer: ArrayBuffer): Arrays {
  const all = <T extends NumberType>(type: T) =>
    new ARRAYS[type](buffer, 0, Math.floor(buffer.byteLength / ARRAYS[type].BYTES_PER_ELEMENT)) as Column<T>;
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

/** Where an object of a state finds its numbers: the memory, and the byte at which its state begins. */
export interface Home {
  readonly arrays: Arrays;
  readonly buffer: ArrayBuffer;
  readonly base: number;
}

export const HOME = Symbol("home");
