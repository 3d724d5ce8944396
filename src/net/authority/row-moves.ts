import type { Arrays } from "../../state/arrays.js";
import { ARRAYS } from "../../state/fields.js";
import type { Layout } from "../../state/index.js";

type Table = Layout["tables"][number];

/** Copies rows of a table from one place of a picture to another, over a buffer between them. */
export class RowMoves {
  /** For each column, its offset in a state and the size of a row, in bytes. */
  readonly #offsets: readonly number[];
  readonly #sizes: readonly number[];
  /** Bytes of a row in all columns. */
  readonly #size: number;
  #buffer = new Uint8Array(0);

  constructor({ owner, allocation }: Table, leaves: Layout["leaves"]) {
    const { id, next, count, end, free } = allocation;
    // How often a row was skipped moves with it.
    const bookkeeping = new Set([id, next, count, end, free, owner.totalSkips]);
    const columns = leaves.filter((leaf) => leaf.owner === owner && !bookkeeping.has(leaf));
    this.#offsets = columns.map(({ offset }) => offset);
    this.#sizes = columns.map(({ type, stride }) => stride * ARRAYS[type].BYTES_PER_ELEMENT);
    this.#size = this.#sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Makes room for this many rows. */
  reserve(rows: number): void {
    const bytes = rows * this.#size;
    if (bytes > this.#buffer.length) this.#buffer = new Uint8Array(2 * bytes);
  }

  /** Copies a row to a slot of the buffer. */
  take({ u8 }: Arrays, row: number, slot: number): void {
    let to = slot * this.#size;
    for (let i = 0; i < this.#offsets.length; i++) {
      const size = this.#sizes[i]!;
      const from = this.#offsets[i]! + row * size;
      for (let k = 0; k < size; k++) this.#buffer[to++] = u8[from + k]!;
    }
  }

  /** Copies a slot of the buffer to a row. */
  put({ u8 }: Arrays, row: number, slot: number): void {
    let from = slot * this.#size;
    for (let i = 0; i < this.#offsets.length; i++) {
      const size = this.#sizes[i]!;
      const to = this.#offsets[i]! + row * size;
      for (let k = 0; k < size; k++) u8[to + k] = this.#buffer[from++]!;
    }
  }

  /** Fills a row with zeros, as free rows are. */
  clear({ u8 }: Arrays, row: number): void {
    for (let i = 0; i < this.#offsets.length; i++) {
      const size = this.#sizes[i]!;
      const from = this.#offsets[i]! + row * size;
      u8.fill(0, from, from + size);
    }
  }
}
