// The ids of a table's rows as words, and the bookkeeping of free rows. A live row's word is 1 plus how often the row was reused;
// a freed row's word is the same, negated; the word of an unused row is 0. Without bookkeeping, all free rows are 0.
import type { Arrays } from "../../state/arrays.js";
import type { WireFields, WireSection } from "./wire-fields.js";

/** Returns the largest word of an id. */
export const maxIdWord = (capacity: number): number =>
  Math.min(2 ** 31 - 1, Math.floor(2 ** 53 / capacity) - 1);

/** Writes the ids of a section to an image. */
export function readIds(
  { table, rows, stride, offset }: WireSection,
  { f64 }: Arrays,
  base: number,
  words: Int32Array,
  hasBookkeeping: boolean,
): void {
  const ids = (base + table!.allocation.id.offset) / 8;
  for (let row = 0; row < rows; row++) {
    const id = f64[ids + row]!;
    let word = 0;
    if (id > 0) word = (id - 1 - row) / rows + 1;
    else if (id < 0 && hasBookkeeping) word = (id + 1 + row) / rows - 1;
    words[offset + row * stride] = word;
  }
}

/** Writes the ids and free rows of a table to a state. Whatever the words are, the state's bookkeeping becomes valid. */
export class IdWriter {
  readonly #section: WireSection;
  /** The words of the first free row, of the end, and of the column of next free rows. -1 without bookkeeping. */
  readonly #free: number;
  readonly #end: number;
  readonly #next: number;
  /** Freed rows that are not yet in the list. */
  readonly #missing: Uint8Array;

  constructor(section: WireSection, { sections }: WireFields) {
    const { allocation } = section.table!;
    const wordOf = (leaf: object): number => {
      for (const { columns, offset } of sections)
        for (const column of columns) if (column.leaf === leaf) return offset + column.first;
      return -1;
    };
    this.#section = section;
    this.#free = wordOf(allocation.free);
    this.#end = wordOf(allocation.end);
    this.#next = wordOf(allocation.next);
    this.#missing = new Uint8Array(section.rows);
  }

  write({ f64, u32 }: Arrays, base: number, words: Int32Array): void {
    const { table, rows, stride, offset } = this.#section;
    const { allocation } = table!;
    const ids = (base + allocation.id.offset) / 8;
    let used = rows;
    while (used > 0 && words[offset + (used - 1) * stride] === 0) used--;
    let count = 0;
    let last = 0;
    for (let row = 0; row < rows; row++) {
      const word = words[offset + row * stride]!;
      const isLive = word > 0;
      if (isLive) {
        f64[ids + row] = row + 1 + (word - 1) * rows;
        count++;
        last = row + 1;
      } else {
        // A row between used ones counts as freed, even if its id is unknown.
        f64[ids + row] = row < used ? -(row + 1 + (word === 0 ? 0 : -word - 1) * rows) : 0;
      }
      this.#missing[row] = isLive || row >= used ? 0 : 1;
    }
    this.#link(u32, (base + allocation.next.offset) / 4, (base + allocation.free.offset) / 4, words, used);
    const end = this.#end < 0 ? last : words[this.#end]! >>> 0;
    u32[(base + allocation.count.offset) / 4] = count;
    u32[(base + allocation.end.offset) / 4] = Math.max(last, Math.min(end, used));
  }

  /** Links the freed rows in the order of the image, then those that it left out. */
  #link(u32: Uint32Array, next: number, free: number, words: Int32Array, used: number): void {
    const { rows, stride } = this.#section;
    const missing = this.#missing;
    // The word that names the next free row.
    let from = free;
    u32.fill(0, next, next + rows);
    let row = this.#free < 0 ? -1 : words[this.#free]! - 1;
    while (row >= 0 && row < used && missing[row] !== 0) {
      missing[row] = 0;
      u32[from] = row + 1;
      from = next + row;
      row = words[this.#next + row * stride]! - 1;
    }
    for (let other = 0; other < used; other++) {
      if (missing[other] === 0) continue;
      u32[from] = other + 1;
      from = next + other;
    }
    u32[from] = 0;
  }
}
