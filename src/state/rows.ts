import type { Home } from "./arrays.js";
import type { TableNode } from "./leaves.js";
import { RowBooks } from "./row-books.js";
import type { RowId } from "./row-id.js";
import type { RowValues, TableMethods } from "./world.js";

/** A table as a step sees it; its columns are added to it. */
export class Rows implements TableMethods<never> {
  readonly id: TableMethods<never>["id"];
  readonly capacity: number;
  // An object of its own, as tables differ by their columns, and V8 is slow with what it knows many forms of.
  declare private readonly $rows: RowBooks;

  constructor(node: TableNode, home: Home) {
    const books = new RowBooks(node, home);
    this.id = books.ids as unknown as TableMethods<never>["id"];
    this.capacity = books.capacity;
    Object.defineProperty(this, "$rows", { value: books });
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

  remove(id: number): boolean {
    return this.$rows.remove(id);
  }

  row(id: number): number {
    return this.$rows.row(id);
  }

  clear(): void {
    this.$rows.clear();
  }
}
