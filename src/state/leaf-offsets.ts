import { ARRAYS } from "./fields.js";
import type { Leaf } from "./leaves.js";

/** Bytes of a cache line. Leaves that start at a multiple of it are copied fastest. */
const LINE = 64;

/** Returns the bytes of a leaf. */
export const sizeOf = (leaf: Leaf): number => ARRAYS[leaf.type].BYTES_PER_ELEMENT * leaf.stride * leaf.rows;

/** Whether a leaf is smaller than a cache line. */
export const isSmall = (leaf: Leaf): boolean => sizeOf(leaf) < LINE;

const toMultiple = (bytes: number, unit: number) => Math.ceil(bytes / unit) * unit;

/** Bytes of the three areas of a state, which follow one another: doubles, floats, integers. */
export interface Areas {
  readonly f64: number;
  readonly f32: number;
  readonly int: number;
  readonly size: number;
}

/**
 * Assigns an offset to each leaf. How a leaf is blended has no influence, so layouts that differ only in that can read each
 * other's snapshots. Floats are kept apart from integers, because the hash treats NaN specially. In each area, small leaves
 * come first and share cache lines.
 */
export function assignOffsets(leaves: readonly Leaf[]): Areas {
  let end = 0;
  const area = (isIn: (leaf: Leaf) => boolean): number => {
    const from = end;
    const within = leaves.filter(isIn);
    for (const leaf of [...within.filter(isSmall), ...within.filter((leaf) => !isSmall(leaf))]) {
      leaf.offset = toMultiple(end, isSmall(leaf) ? ARRAYS[leaf.type].BYTES_PER_ELEMENT : LINE);
      end = leaf.offset + sizeOf(leaf);
    }
    end = toMultiple(end, LINE);
    return end - from;
  };
  const f64 = area((leaf) => leaf.type === "f64");
  const f32 = area((leaf) => leaf.type === "f32");
  const int = area((leaf) => leaf.type !== "f64" && leaf.type !== "f32");
  return { f64, f32, int, size: end };
}
