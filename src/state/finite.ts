import type { Arrays } from "./arrays.js";
import { pathOf } from "./diff.js";
import { ARRAYS } from "./fields.js";
import type { Layout } from "./layout.js";
import type { Leaf } from "./leaves.js";

/** A field that holds NaN or an infinity. */
export interface NonFinite {
  /** The number's path, such as `crates[17].vx`. */
  readonly path: string;
  readonly value: number;
}

const NONE: readonly NonFinite[] = [];

/** @internal Finds NaN and infinities in the states of a layout, except in fields that allow them and in free rows. */
export class FiniteCheck {
  /** The leaves to check, with the row ids if they belong to a table. */
  readonly #leaves: readonly { readonly leaf: Leaf; readonly ids: Leaf | undefined }[];

  constructor({ leaves, tables }: Layout) {
    this.#leaves = leaves
      .filter(({ type, hidden, nonFinite }) => (type === "f64" || type === "f32") && !hidden && !nonFinite)
      .map((leaf) => ({ leaf, ids: tables.find(({ owner }) => owner === leaf.owner)?.allocation.id }));
  }

  /** Returns the first `max` of them in the state at byte offset `base`. */
  find(arrays: Arrays, base: number, max: number): readonly NonFinite[] {
    let found = NONE;
    for (const { leaf, ids } of this.#leaves) {
      const { type, offset, stride, rows } = leaf;
      const array = arrays[type];
      const from = (base + offset) / ARRAYS[type].BYTES_PER_ELEMENT;
      for (let i = 0; i < stride * rows; i++) {
        const value = array[from + i]!;
        // NaN only for NaN and infinities.
        if (value - value === 0) continue;
        if (ids && !(arrays.f64[(base + ids.offset) / 8 + Math.floor(i / stride)]! > 0)) continue;
        found = [...found, { path: pathOf(leaf, i), value }];
        if (found.length >= max) return found;
      }
    }
    return found;
  }
}
