import type { Arrays } from "./arrays.js";
import { ARRAYS } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { readable } from "./values.js";

/** A value that two states do not share. */
export interface Difference {
  /** Such as `crates[17].position.y`. */
  readonly path: string;
  readonly a: number | boolean | string;
  readonly b: number | boolean | string;
}

/** What differs between the states that begin at two bytes, in order of declaration. NaN is NaN; 0 is not -0. */
export function differencesOf(
  leaves: readonly Leaf[],
  left: Arrays,
  a: number,
  right: Arrays,
  b: number,
  most: number,
): Difference[] {
  const found: Difference[] = [];
  // What tables keep for themselves says less.
  for (const leaf of [...leaves.filter(({ hidden }) => !hidden), ...leaves.filter(({ hidden }) => hidden)]) {
    const { type, offset, stride, rows } = leaf;
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    const [x, y] = [left[type], right[type]];
    const [i, j] = [(a + offset) / size, (b + offset) / size];
    for (let k = 0; k < stride * rows; k++) {
      if (Object.is(x[i + k], y[j + k])) continue;
      if (found.length >= most) return found;
      found.push({ path: pathOf(leaf, k), a: readable(leaf, x[i + k]!), b: readable(leaf, y[j + k]!) });
    }
  }
  return found;
}

const AXES = ["x", "y", "z", "w"];

/** How a number of a leaf is called. */
export function pathOf({ head, tail, width, length, stride }: Leaf, index: number): string {
  const row = head === "" ? "" : `${head}[${Math.floor(index / stride)}]`;
  const element = length === undefined ? "" : `[${Math.floor((index % stride) / width)}]`;
  const axis = width === 1 ? "" : `.${AXES[index % width]}`;
  return row + tail + element + axis;
}

/** One line a difference: `crates[17].vx: 3.25 ≠ 3.5`. */
export function formatDifferences(differences: readonly Difference[]): string {
  const text = (value: Difference["a"]) => (Object.is(value, -0) ? "-0" : `${value}`);
  return differences.map(({ path, a, b }) => `${path}: ${text(a)} ≠ ${text(b)}`).join("\n");
}
