import type { RowAllocator } from "./row-allocator.js";
import type { RowCursors } from "./row-cursors.js";
import type { RowId } from "./row-id.js";
import type { RowValues, TableMethods } from "./world.js";

/** The methods of a table in a world. The columns are added as properties. */
export class Rows implements TableMethods<never> {
  readonly id: TableMethods<never>["id"];
  readonly capacity: number;
  // Tables have different shapes, as their columns differ. The work is done in objects of one shape, which V8 handles faster.
  declare private readonly $allocator: RowAllocator;
  declare private readonly $cursors: RowCursors;

  constructor(allocator: RowAllocator, cursors: RowCursors) {
    this.id = allocator.ids as unknown as TableMethods<never>["id"];
    this.capacity = allocator.capacity;
    Object.defineProperty(this, "$allocator", { value: allocator });
    Object.defineProperty(this, "$cursors", { value: cursors });
  }

  get count(): number {
    const { words, count } = this.$allocator;
    return words[count]!;
  }

  get end(): number {
    const { words, count, end } = this.$allocator;
    return words[count] === 0 ? 0 : words[end]!;
  }

  add(values?: RowValues<never>): RowId {
    return this.$allocator.add(values) as RowId;
  }

  /** Removes the row with this id, or the row of this cursor. */
  remove(row: RowId | object): boolean {
    return this.$allocator.remove(typeof row === "object" ? this.$cursors.idOf(row) : row);
  }

  get(id: number): never {
    return this.$cursors.get(id) as never;
  }

  [Symbol.iterator](): Iterator<never, undefined> {
    return this.$cursors.walk() as unknown as Iterator<never, undefined>;
  }

  row(id: number): number {
    return this.$allocator.row(id);
  }

  clear(): void {
    this.$allocator.clear();
  }
}
