import { refuse } from "../time/refuse.js";
import { columnOf, type Home } from "./arrays.js";
import { cut } from "./cut.js";
import { ARRAYS } from "./fields.js";
import { fillerOf, type Filler } from "./fill.js";
import type { Children, Leaf, Owner, TableNode } from "./leaves.js";

/**
 * What a table keeps about its rows. A row has an id above 0 while it is there: row + 1, and the capacity more each time
 * that the row is used again; below 0 the last one it had. Free rows are a list in the state, the last freed first.
 */
export class RowBooks {
  readonly ids: Float64Array;
  readonly words: Uint32Array;
  readonly capacity: number;
  /** Where these lie among the words. */
  readonly count: number;
  readonly end: number;
  private readonly free: number;
  private readonly next: number;
  private readonly bytes: Uint8Array;
  /** Where each column lies, and how much of it is a row: in words, or in bytes where a row is not whole words. */
  private readonly wide: Uint32Array;
  private readonly narrow: Uint32Array;
  private readonly fill: Filler;
  private readonly owner: Owner;
  private readonly home: Home;

  constructor({ owner, children, books }: TableNode, home: Home) {
    this.ids = columnOf(books.id, home) as Float64Array;
    this.words = home.u32;
    this.bytes = home.u8;
    this.capacity = owner.rows;
    this.count = books.count.offset / 4;
    this.end = books.end.offset / 4;
    this.free = books.free.offset / 4;
    this.next = books.next.offset / 4;
    const columns = leavesOf(children).map(({ type, stride, offset }) => ({
      at: offset,
      size: stride * ARRAYS[type].BYTES_PER_ELEMENT,
    }));
    // A small column of small numbers may begin anywhere.
    const isWide = ({ at, size }: { at: number; size: number }) => at % 4 === 0 && size % 4 === 0;
    this.wide = Uint32Array.from(columns.filter(isWide).flatMap(({ at, size }) => [at / 4, size / 4]));
    this.narrow = Uint32Array.from(
      columns.filter((column) => !isWide(column)).flatMap(({ at, size }) => [at, size]),
    );
    this.fill = fillerOf(owner.path, "values", children, home);
    this.owner = owner;
    this.home = home;
  }

  add(values: object | undefined): number {
    const { ids, words, capacity, free, end } = this;
    const first = words[free]!;
    const row = first > 0 ? first - 1 : words[end]!;
    if (row >= capacity) this.refuseFull();
    // What was written into it since it was removed does not come back.
    this.zero(row);
    if (values !== undefined) this.fillRow(values, row);
    if (first > 0) words[free] = words[this.next + row]!;
    else words[end] = row + 1;
    words[this.next + row] = 0;
    words[this.count] = words[this.count]! + 1;
    cut(this.owner, this.home, row);
    const last = ids[row]!;
    const own = last === 0 ? row + 1 : capacity - last;
    ids[row] = own;
    return own;
  }

  remove(id: number): boolean {
    const row = this.row(id);
    if (row < 0) return false;
    const { words, free } = this;
    this.ids[row] = -id;
    this.zero(row);
    cut(this.owner, this.home, row);
    words[this.next + row] = words[free]!;
    words[free] = row + 1;
    words[this.count] = words[this.count]! - 1;
    return true;
  }

  row(id: number): number {
    // Also for NaN, and for what is no number.
    if (typeof id !== "number" || !(id > 0)) return -1;
    // A remainder of small numbers is ten times as fast.
    const row = id <= 0x7fffffff ? ((id - 1) | 0) % this.capacity : (id - 1) % this.capacity;
    return this.ids[row] === id ? row : -1;
  }

  private zero(row: number): void {
    const { wide, narrow, words, bytes } = this;
    for (let i = 0; i < wide.length; i += 2) {
      const size = wide[i + 1]!;
      const from = wide[i]! + row * size;
      for (let at = from; at < from + size; at++) words[at] = 0;
    }
    for (let i = 0; i < narrow.length; i += 2) {
      const size = narrow[i + 1]!;
      const from = narrow[i]! + row * size;
      for (let at = from; at < from + size; at++) bytes[at] = 0;
    }
  }

  /** Before the row is there: what is refused was never added. */
  private fillRow(values: object, row: number): void {
    try {
      this.fill.fill(values, row);
    } catch (error) {
      this.zero(row);
      throw error;
    }
  }

  private refuseFull(): never {
    const { path } = this.owner;
    return refuse(
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
