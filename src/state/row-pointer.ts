import { columnOf, type StateMemory } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Leaf } from "./leaves.js";

/**
 * Where a cursor stands, and the memory it reads. A cursor and the groups in it share one place, so one write moves them
 * all. All tables have places of this one class: V8 then knows where `row` and the arrays are, whichever table it is.
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
  /** For each vector and list in a row. */
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

/** The parts of a column with several numbers per row, as typed arrays. Each is made once, when its row is first read. */
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
    // Of full length at once: V8 makes a hash table of an array with large gaps.
    this.views ??= Array.from({ length: column.length / stride });
    return (this.views[row] = column.subarray(row * stride, (row + 1) * stride));
  }
}

export const viewsOf = (
  leaves: readonly Leaf[],
  memory: StateMemory,
  wrap: (leaf: Leaf, column: Column) => Column = (_, column) => column,
): RowViews[] => leaves.map((leaf) => new RowViews(wrap(leaf, columnOf(leaf, memory)), leaf.stride));
