import { misuse } from "../errors/index.js";
import { columnOf, type StateMemory } from "./arrays.js";
import { countSkip } from "./blend-skips.js";
import { ARRAYS } from "./fields.js";
import type { Children, Leaf, Owner, TableNode } from "./leaves.js";
import { DraftOffsets, RowDraft } from "./row-draft.js";

/**
 * Adds and removes the rows of a table. A live row has an id above 0: row + 1, plus the capacity each time the row is reused.
 * A free row holds its last id, negated, or 0 if it was never used. Used rows come before unused ones. The freed rows form a
 * linked list in the state, the last freed first. All live rows come before `end`.
 */
export class RowAllocator {
  readonly ids: Float64Array;
  readonly words: Uint32Array;
  readonly capacity: number;
  /** Indices into `words`. */
  readonly count: number;
  readonly end: number;
  private readonly free: number;
  private readonly next: number;
  private readonly bytes: Uint8Array;
  /**
   * Three numbers per column: its offset, the size of a row, and its offset in a draft. `wide` counts in words, `narrow` in
   * bytes, for columns whose rows are not whole words.
   */
  private readonly wide: Uint32Array;
  private readonly narrow: Uint32Array;
  private readonly zeros: RowDraft;
  private readonly draft: RowDraft;
  /** Whether values are being read into `draft`. If one of their getters calls `add`, that call needs another draft. */
  private isReading: boolean;
  private readonly newDraft: () => RowDraft;
  private readonly owner: Owner;
  private readonly memory: StateMemory;
  /**
   * The count of added rows, and its value when each row was added, so that loops can skip rows that are added meanwhile. Not
   * part of the state. Counting starts with the first loop.
   */
  added: number;
  private addedAt: Float64Array | undefined;

  constructor({ owner, children, allocation }: TableNode, memory: StateMemory) {
    this.ids = columnOf(allocation.id, memory) as Float64Array;
    this.words = memory.u32;
    this.bytes = memory.u8;
    this.capacity = owner.rows;
    this.count = allocation.count.offset / 4;
    this.end = allocation.end.offset / 4;
    this.free = allocation.free.offset / 4;
    this.next = allocation.next.offset / 4;
    const leaves = leavesOf(children);
    const offsets = new DraftOffsets(leaves);
    const columns = leaves.map((leaf) => [
      leaf.offset,
      leaf.stride * ARRAYS[leaf.type].BYTES_PER_ELEMENT,
      offsets.of(leaf),
    ]);
    // A small column of 8-bit or 16-bit numbers may start at any byte.
    const isWide = (column: number[]) => column.every((bytes) => bytes % 4 === 0);
    this.wide = Uint32Array.from(columns.filter(isWide).flatMap((column) => column.map((at) => at / 4)));
    this.narrow = Uint32Array.from(columns.filter((column) => !isWide(column)).flat());
    this.newDraft = () => new RowDraft(owner.path, children, offsets);
    this.zeros = this.newDraft();
    this.draft = this.newDraft();
    this.isReading = false;
    this.owner = owner;
    this.memory = memory;
    this.added = 0;
    this.addedAt = undefined;
  }

  /** Returns the count of rows added since the first call. */
  countAdded(): number {
    this.addedAt ??= new Float64Array(this.capacity);
    return this.added;
  }

  /** Whether a row was added after the count was `added`. */
  isAddedAfter(row: number, added: number): boolean {
    return this.addedAt![row]! > added;
  }

  add(values: object | undefined): number {
    if (values === undefined) return this.insert(this.zeros);
    if (this.isReading) return this.insert(this.newDraft().fill(values));
    this.isReading = true;
    try {
      this.draft.fill(values);
    } finally {
      this.isReading = false;
    }
    return this.insert(this.draft);
  }

  private insert(draft: RowDraft): number {
    const { ids, words, capacity, count, free, end } = this;
    const first = words[free]!;
    // If the free list is empty, all used rows are live.
    const row = first > 0 ? first - 1 : words[count]!;
    if (row >= capacity) this.throwFull();
    // Write the whole row, as it may have been written to while it was free.
    this.write(row, draft);
    if (first > 0) words[free] = words[this.next + row]!;
    if (row >= words[end]!) words[end] = row + 1;
    words[this.next + row] = 0;
    words[count] = words[count]! + 1;
    countSkip(this.owner, this.memory, row);
    const last = ids[row]!;
    const own = last === 0 ? row + 1 : capacity - last;
    ids[row] = own;
    if (this.addedAt) this.addedAt[row] = ++this.added;
    return own;
  }

  remove(id: number): boolean {
    const row = this.row(id);
    if (row < 0) return false;
    this.release(row);
    return true;
  }

  clear(): void {
    const { ids, words, end } = this;
    // Backwards, so that row 0 is reused first.
    for (let row = words[end]! - 1; row >= 0; row--) if (ids[row]! > 0) this.release(row);
    words[end] = 0;
  }

  private release(row: number): void {
    const { ids, words, count, free } = this;
    ids[row] = -ids[row]!;
    this.write(row, this.zeros);
    countSkip(this.owner, this.memory, row);
    words[this.next + row] = words[free]!;
    words[free] = row + 1;
    words[count] = words[count]! - 1;
  }

  row(id: number): number {
    // Also rejects NaN, and values that are not numbers.
    if (typeof id !== "number" || !(id > 0)) return -1;
    // The remainder of 32-bit integers is ten times faster.
    const row = id <= 0x7fffffff ? ((id - 1) | 0) % this.capacity : (id - 1) % this.capacity;
    return this.ids[row] === id ? row : -1;
  }

  private write(row: number, draft: RowDraft): void {
    const { wide, narrow, words, bytes } = this;
    const { words: draftWords, bytes: draftBytes } = draft;
    for (let i = 0; i < wide.length; i += 3) {
      const size = wide[i + 1]!;
      const to = wide[i]! + row * size;
      const from = wide[i + 2]!;
      for (let k = 0; k < size; k++) words[to + k] = draftWords[from + k]!;
    }
    for (let i = 0; i < narrow.length; i += 3) {
      const size = narrow[i + 1]!;
      const to = narrow[i]! + row * size;
      const from = narrow[i + 2]!;
      for (let k = 0; k < size; k++) bytes[to + k] = draftBytes[from + k]!;
    }
  }

  private throwFull(): never {
    misuse(
      "table-full",
      `${this.owner.path}.add`,
      `the table is full (capacity ${this.capacity})`,
      "Check count < capacity first, or declare a larger one",
    );
  }
}

function leavesOf(children: Children): Leaf[] {
  return Object.values(children).flatMap((child) =>
    child.kind === "leaf" ? [child.leaf] : leavesOf(child.children),
  );
}
