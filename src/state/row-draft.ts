import { ARRAYS } from "./fields.js";
import { fillerOf, type Filler } from "./fill.js";
import type { Children, Leaf } from "./leaves.js";

/**
 * A buffer for one row. `add` reads the values of a new row into it before it changes the table, because reading may run user
 * code (a getter, a proxy), which may throw, or add and remove rows itself.
 */
export class RowDraft {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  private readonly filler: Filler;

  constructor(table: string, children: Children, offsets: DraftOffsets) {
    const buffer = new ArrayBuffer(offsets.size);
    this.words = new Uint32Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.filler = fillerOf(
      table,
      "values",
      children,
      (leaf) => new ARRAYS[leaf.type](buffer, offsets.of(leaf), leaf.stride),
    );
  }

  /** Replaces the whole row. Omitted fields become 0. */
  fill(values: object): this {
    this.words.fill(0);
    this.filler.fill(values);
    return this;
  }
}

/** The offset of each column of a table in a draft: a multiple of 8 bytes. */
export class DraftOffsets {
  readonly size: number;
  private readonly offsets = new Map<Leaf, number>();

  constructor(leaves: readonly Leaf[]) {
    let end = 0;
    for (const leaf of leaves) {
      this.offsets.set(leaf, end);
      end += Math.ceil((leaf.stride * ARRAYS[leaf.type].BYTES_PER_ELEMENT) / 8) * 8;
    }
    this.size = end;
  }

  of(leaf: Leaf): number {
    return this.offsets.get(leaf)!;
  }
}
