import type { RowAllocator } from "./row-allocator.js";
import type { RowCursors } from "./row-cursors.js";
import type { RowId } from "./row-id.js";
import type { RowValues, TableMethods } from "./world.js";

/** A table as a step sees it; its columns are added to it. */
export class Rows implements TableMethods<never> {
  readonly id: TableMethods<never>["id"];
  readonly capacity: number;
  // An object of its own, as tables differ by their columns, and V8 is slow with what it knows many forms of.
  declare private readonly $rows: RowAllocator;
  declare private readonly $cursors: RowCursors;

  constructor(allocator: RowAllocator, cursors: RowCursors) {
    this.id = allocator.ids as unknown as TableMethods<never>["id"];
    this.capacity = allocator.capacity;
    Object.defineProperty(this, "$rows", { value: allocator });
    Object.defineProperty(this, "$cursors", { value: cursors });
  }

  get count(): number {
    const { words, count } = this.$rows;
    return words[count]!;
  }

  get end(): number {
    const { words, count, end } = this.$rows;
    return words[count] === 0 ? 0 : words[end]!;
  }

  add(values?: RowValues<never>): RowId {
    return this.$rows.add(values) as RowId;
  }

  /** By its id, or by a cursor that stands at it. */
  remove(row: RowId | object): boolean {
    return this.$rows.remove(typeof row === "object" ? this.$cursors.idOf(row) : row);
  }

  get(id: number): never {
    return this.$cursors.get(id) as never;
  }

  [Symbol.iterator](): Iterator<never, undefined> {
    return this.$cursors.walk() as unknown as Iterator<never, undefined>;
  }

  row(id: number): number {
    return this.$rows.row(id);
  }

  clear(): void {
    this.$rows.clear();
  }
}
