import { refuse } from "../time/refuse.js";
import type { Home } from "./arrays.js";
import { columnOf } from "./column.js";
import type { Leaf, Node, TableNode } from "./leaves.js";
import type { RowValues, TableMethods } from "./world.js";

interface Filled {
  readonly [name: string]: unknown;
}

/**
 * What a table does with its rows. A row has an id above 0 while it is there: row + 1, and the capacity more each time
 * that the row is used again; below 0 the last one it had. Free rows are a list in the state, the last freed first.
 */
export class Rows implements TableMethods<never> {
  readonly id: Float64Array;
  readonly capacity: number;
  // Private by the language, so that columns may have any name.
  readonly #node: TableNode;
  readonly #home: Home;
  readonly #words: Uint32Array;
  readonly #count: number;
  readonly #end: number;
  readonly #free: number;
  readonly #next: number;

  constructor(node: TableNode, home: Home) {
    const { id, count, end, free, next } = node.books as Record<string, Leaf>;
    const at = (leaf: Leaf | undefined) => (home.base + leaf!.offset) / 4;
    this.id = columnOf(id!, home) as Float64Array;
    this.capacity = node.owner.rows;
    this.#node = node;
    this.#home = home;
    this.#words = home.arrays.u32;
    this.#count = at(count);
    this.#end = at(end);
    this.#free = at(free);
    this.#next = at(next);
  }

  get count(): number {
    return this.#words[this.#count]!;
  }

  get end(): number {
    return this.#words[this.#end]!;
  }

  add(values?: RowValues<never>): number {
    const { id, capacity } = this;
    const words = this.#words;
    const free = words[this.#free]!;
    const row = free > 0 ? free - 1 : this.end;
    const { path } = this.#node.owner;
    if (row >= capacity)
      refuse(
        `${path}.add: rows`,
        `at most ${capacity}`,
        "one more",
        "to remove one first, or a greater table",
      );
    if (free > 0) words[this.#free] = words[this.#next + row]!;
    else words[this.#end] = row + 1;
    words[this.#next + row] = 0;
    words[this.#count]! += 1;
    cut(this.#node, this.#home, row);
    const own = id[row] === 0 ? row + 1 : capacity - id[row]!;
    id[row] = own;
    if (values === undefined) return own;
    try {
      fill(path, this.#node.children, this as unknown as Filled, values as Filled, row);
    } catch (error) {
      this.remove(own);
      throw error;
    }
    return own;
  }

  remove(id: number): boolean {
    const row = this.row(id);
    if (row < 0) return false;
    const words = this.#words;
    this.id[row] = -id;
    clearRow(this.#node.children, this as unknown as Filled, row);
    cut(this.#node, this.#home, row);
    words[this.#next + row] = words[this.#free]!;
    words[this.#free] = row + 1;
    words[this.#count]! -= 1;
    return true;
  }

  row(id: number): number {
    // Also for NaN, and for what is no number.
    if (!(id > 0)) return -1;
    const row = (id - 1) % this.capacity;
    return this.id[row] === id ? row : -1;
  }

  clear(): void {
    for (let row = this.end - 1; row >= 0; row--) this.remove(this.id[row]!);
  }
}

/** From the last state to this one, the row is not to be blended. */
export function cut(
  { owner }: { owner: { cuts?: Leaf; changes?: Leaf } },
  { arrays, base }: Home,
  row: number,
): void {
  const { cuts, changes } = owner;
  if (!cuts || !changes) return;
  arrays.u32[(base + cuts.offset) / 4 + row]! += 1;
  if (changes !== cuts) arrays.u32[(base + changes.offset) / 4]! += 1;
}

function clearRow(children: Record<string, Node>, columns: Filled, row: number): void {
  for (const name in children) {
    const child = children[name]!;
    if (child.kind !== "leaf") clearRow(child.children, columns[name] as Filled, row);
    else {
      const { width } = child.leaf;
      const column = columns[name] as Float64Array;
      for (let i = row * width; i < (row + 1) * width; i++) column[i] = 0;
    }
  }
}

function fill(
  path: string,
  children: Record<string, Node>,
  columns: Filled,
  values: Filled,
  row: number,
): void {
  if (typeof values !== "object" || values === null)
    refuse(`${path}.add: values`, "an object", values, "{ x: 0 }");
  for (const name of Object.keys(values)) {
    const child = Object.hasOwn(children, name) ? children[name]! : undefined;
    const value = values[name];
    const known = Object.keys(children).join(", ");
    if (!child) refuse(`${path}.add: ${name}`, `one of ${known}`, value, `a field of ${path}`);
    if (value === undefined) continue;
    if (child.kind !== "leaf")
      fill(`${path}.${name}`, child.children, columns[name] as Filled, value as Filled, row);
    else fillLeaf(path, child.leaf, columns[name] as Float64Array, value, row);
  }
}

function fillLeaf(
  path: string,
  { name, width, form }: Leaf,
  column: Float64Array,
  value: unknown,
  row: number,
): void {
  if (width === 1) {
    const isRight = typeof value === "number" || (form === "boolean" && typeof value === "boolean");
    if (!isRight) refuse(`${path}.add: ${name}`, "a number", value, 0);
    column[row] = Number(value);
    return;
  }
  const numbers = value as ArrayLike<number>;
  if (numbers?.length !== width)
    refuse(`${path}.add: ${name}`, `${width} numbers`, value, `[${Array(width).fill(0)}]`);
  for (let i = 0; i < width; i++) {
    if (typeof numbers[i] !== "number")
      refuse(`${path}.add: ${name}`, `${width} numbers`, value, `[${Array(width).fill(0)}]`);
    column[row * width + i] = numbers[i]!;
  }
}
