import type { Arrays } from "./arrays.js";
import { ARRAYS } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { readable } from "./values.js";

/** A value that differs between two states. */
export interface Difference {
  /** The number's path, such as `crates[17].position.y`. */
  readonly path: string;
  readonly a: number | boolean | string;
  readonly b: number | boolean | string;
}

/** @internal Lists the first `max` differences between two states, at byte offsets `a` and `b`, in order of declaration. NaN equals NaN; 0 and -0 differ. */
export function differencesOf(
  leaves: readonly Leaf[],
  left: Arrays,
  a: number,
  right: Arrays,
  b: number,
  max: number,
): Difference[] {
  const found: Difference[] = [];
  // Hidden leaves come last, as they tell users less.
  for (const leaf of [...leaves.filter(({ hidden }) => !hidden), ...leaves.filter(({ hidden }) => hidden)]) {
    const { type, offset, stride, rows } = leaf;
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    const [x, y] = [left[type], right[type]];
    const [i, j] = [(a + offset) / size, (b + offset) / size];
    for (let k = 0; k < stride * rows; k++) {
      if (Object.is(x[i + k], y[j + k])) continue;
      if (found.length >= max) return found;
      found.push({ path: pathOf(leaf, k), a: readable(leaf, x[i + k]!), b: readable(leaf, y[j + k]!) });
    }
  }
  return found;
}

const AXES = ["x", "y", "z", "w"];

/** @internal Returns the path of a number of a leaf. */
export function pathOf({ head, tail, width, length, stride }: Leaf, index: number): string {
  const row = head === "" ? "" : `${head}[${Math.floor(index / stride)}]`;
  const element = length === undefined ? "" : `[${Math.floor((index % stride) / width)}]`;
  const axis = width === 1 ? "" : `.${AXES[index % width]}`;
  return row + tail + element + axis;
}

/** Formats differences, one per line: `crates[17].vx: 3.25 ≠ 3.5`. */
export function formatDifferences(differences: readonly Difference[]): string {
  const text = (value: Difference["a"]) => (Object.is(value, -0) ? "-0" : `${value}`);
  return differences.map(({ path, a, b }) => `${path}: ${text(a)} ≠ ${text(b)}`).join("\n");
}
