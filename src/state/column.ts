import type { Home } from "./arrays.js";
import { ARRAYS, type Column } from "./fields.js";
import type { Leaf } from "./leaves.js";

/** The numbers of a leaf, in one state. */
export function columnOf(leaf: Leaf, { buffer, base }: Home): Column {
  return new ARRAYS[leaf.type](buffer, base + leaf.offset, leaf.stride * leaf.rows);
}
