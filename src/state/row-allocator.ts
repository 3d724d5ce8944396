import { badValue } from "../errors/index.js";
import { columnOf, type StateMemory } from "./arrays.js";
import { countSkip } from "./blend-skips.js";
import { ARRAYS } from "./fields.js";
import type { Children, Leaf, Owner, TableNode } from "./leaves.js";
import { DraftOffsets, RowDraft } from "./row-draft.js";

/**
 * What a table keeps about its rows. A live row has an id above 0: row + 1, and the capacity more each time the row is
 * used again. A free row has its last id, negated; or 0 if it was never used. Used rows come first; the free ones among
 * them form a list in the state, the last freed first. All live rows lie before `end`.
 */
export class RowAllocator {
  readonly ids: Float64Array;
  readonly words: Uint32Array;
  readonly capacity: number;
  /** Where these lie among the words. */
  readonly count: number;
  readonly end: number;
  private readonly free: number;
  private readonly next: number;
  private readonly bytes: Uint8Array;
  /**
   * Three numbers for each column: where it lies, the size of a row, and where it lies in a draft. In words, or in bytes if a
   * row is not whole words.
   */
  private readonly wide: Uint32Array;
  private readonly narrow: Uint32Array;
  private readonly zeros: RowDraft;
  private readonly draft: RowDraft;
  /** Values are being read into `draft`: an `add` by one of their getters needs a draft of its own. */
  private isReading: boolean;
  private readonly newDraft: () => RowDraft;
  private readonly owner: Owner;
  private readonly memory: StateMemory;
  /**
   * For loops over the rows, which skip what is added meanwhile: how many rows were added, and how many had been when each
   * row was. Not a part of the state. It begins with the first loop.
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
    // A small column of small numbers may begin anywhere.
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

  /** Rows added so far, counted from the first call on. */
  countAdded(): number {
    this.addedAt ??= new Float64Array(this.capacity);
    return this.added;
  }

  /** Whether a row was added when more than `added` had been. */
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
    // If no used row is free, all of them are live.
    const row = first > 0 ? first - 1 : words[count]!;
    if (row >= capacity) this.throwFull();
    // The whole row, as something may have been written to it while it was free.
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
    // From the last on, so that the first is the next to be added.
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
    // Also for NaN, and for what is no number.
    if (typeof id !== "number" || !(id > 0)) return -1;
    // A remainder of small numbers is ten times as fast.
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
    const { path } = this.owner;
    return badValue(
      `world.${path}.add: rows`,
      `at most ${this.capacity}`,
      "one more",
      `it if world.${path}.count < ${this.capacity}, or a table of more rows`,
    );
  }
}

function leavesOf(children: Children): Leaf[] {
  return Object.values(children).flatMap((child) =>
    child.kind === "leaf" ? [child.leaf] : leavesOf(child.children),
  );
}
