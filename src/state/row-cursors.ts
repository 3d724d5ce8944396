import { misuse } from "../errors/index.js";
import type { StateMemory } from "./arrays.js";
import type { CursorClass } from "./cursor.js";
import type { TableNode } from "./leaves.js";
import type { RowAllocator } from "./row-allocator.js";
import { RowPointer, type RowViews } from "./row-pointer.js";
import { RowWalk } from "./row-walk.js";

/** The properties of a cursor that `remove` uses. */
interface AnyCursor {
  readonly $node: TableNode;
  readonly id: number;
}

/** The cursors of one table: those of its loops, and those that `get` returns. */
export class RowCursors {
  /** A pool of walks. Nested loops over one table use several at a time. */
  private readonly walks: RowWalk[];
  private idle: number;
  /** The cursors that `get` returns: one per row, created on first use. */
  private cursors: (object | undefined)[] | undefined;

  constructor(
    protected readonly node: TableNode,
    protected readonly memory: StateMemory,
    protected readonly allocator: RowAllocator,
    protected readonly cursorClass: CursorClass,
    protected readonly views: readonly RowViews[],
  ) {
    this.walks = [];
    this.idle = 0;
    this.cursors = undefined;
  }

  /** Begins a loop. */
  walk(): RowWalk {
    const walk = this.idle > 0 ? this.walks[--this.idle]! : this.newWalk();
    walk.begin();
    return walk;
  }

  /** Returns a walk to the pool when its loop ends. */
  release(walk: RowWalk): void {
    // push and pop would allocate now and then.
    this.walks[this.idle++] = walk;
  }

  get(id: number): object | undefined {
    const row = this.allocator.row(id);
    return row < 0 ? undefined : this.cursorAt(row);
  }

  /** Returns the id of a cursor's row, or 0 if it is not a cursor. */
  idOf(cursor: object | null): number {
    const { $node: node } = (cursor ?? {}) as Partial<AnyCursor>;
    if (node === undefined) return 0;
    if (node !== this.node)
      misuse(
        "in-use",
        `${this.node.owner.path}.remove`,
        `this row belongs to table "${node.owner.path}"`,
        `Call ${node.owner.path}.remove(row)`,
      );
    return (cursor as AnyCursor).id;
  }

  protected cursorAt(row: number): object {
    const { memory, views, cursorClass, allocator } = this;
    // Allocate the full length at once, as in `RowViews`.
    this.cursors ??= Array.from({ length: allocator.capacity });
    return (this.cursors[row] ??= cursorClass.make(new RowPointer(memory, views, row)));
  }

  protected newWalk(): RowWalk {
    const pointer = new RowPointer(this.memory, this.views);
    return new RowWalk(this.allocator, this, pointer, this.cursorClass.make(pointer));
  }
}
