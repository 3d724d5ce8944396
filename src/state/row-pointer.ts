import { columnOf, type StateMemory } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Leaf } from "./leaves.js";

/**
 * The row that a cursor reads and writes, and its memory. A cursor and the groups in it share one pointer, so a single write
 * moves them all. All tables use this one class, which keeps property access in V8 monomorphic.
 */
export class RowPointer {
  row: number;
  readonly memory: StateMemory;
  readonly f64: Column<"f64">;
  readonly f32: Column<"f32">;
  readonly i32: Column<"i32">;
  readonly u32: Column<"u32">;
  readonly i16: Column<"i16">;
  readonly u16: Column<"u16">;
  readonly i8: Column<"i8">;
  readonly u8: Column<"u8">;
  /** The views of each vector and list in a row. */
  readonly views: readonly RowViews[];

  constructor(memory: StateMemory, views: readonly RowViews[], row = -1) {
    this.row = row;
    this.memory = memory;
    this.f64 = memory.f64;
    this.f32 = memory.f32;
    this.i32 = memory.i32;
    this.u32 = memory.u32;
    this.i16 = memory.i16;
    this.u16 = memory.u16;
    this.i8 = memory.i8;
    this.u8 = memory.u8;
    this.views = views;
  }
}

/** The rows of a column with several numbers per row, as typed arrays. Each is created when its row is first read. */
export class RowViews {
  private views: (Column | undefined)[] | undefined;

  constructor(
    private readonly column: Column,
    private readonly stride: number,
  ) {}

  at(row: number): Column {
    return this.views?.[row] ?? this.make(row);
  }

  private make(row: number): Column {
    const { column, stride } = this;
    // Allocate the full length at once: V8 turns an array with large gaps into a hash table.
    this.views ??= Array.from({ length: column.length / stride });
    return (this.views[row] = column.subarray(row * stride, (row + 1) * stride));
  }
}

export const viewsOf = (
  leaves: readonly Leaf[],
  memory: StateMemory,
  wrap: (leaf: Leaf, column: Column) => Column = (_, column) => column,
): RowViews[] => leaves.map((leaf) => new RowViews(wrap(leaf, columnOf(leaf, memory)), leaf.stride));
