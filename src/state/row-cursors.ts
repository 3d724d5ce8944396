import type { StateMemory } from "./arrays.js";
import type { CursorClass } from "./cursor.js";
import type { TableNode } from "./leaves.js";
import type { RowAllocator } from "./row-allocator.js";
import { RowPointer, type RowViews } from "./row-pointer.js";
import { RowWalk } from "./row-walk.js";

/** What `remove` needs to know of a cursor. */
interface AnyCursor {
  readonly $node: TableNode;
  readonly id: number;
}

/** The cursors of one table: those of its loops, and those that `get` returns. */
export class RowCursors {
  /** Walks that no loop uses. Loops within loops over one table take several. */
  private readonly walks: RowWalk[];
  private idle: number;
  /** What `get` returns: one for each row, made when it is first asked for. */
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

  /** Takes a walk back when its loop is over. */
  release(walk: RowWalk): void {
    // Not by push and pop: these allocate now and then.
    this.walks[this.idle++] = walk;
  }

  get(id: number): object | undefined {
    const row = this.allocator.row(id);
    return row < 0 ? undefined : this.cursorAt(row);
  }

  /** The id of the row at which a cursor stands. 0 for what is no cursor. */
  idOf(cursor: object | null): number {
    const { $node: node } = (cursor ?? {}) as Partial<AnyCursor>;
    if (node === undefined) return 0;
    if (node !== this.node)
      throw new Error(
        `world.${this.node.owner.path}.remove: the row is one of world.${node.owner.path}. Remove it there.`,
      );
    return (cursor as AnyCursor).id;
  }

  protected cursorAt(row: number): object {
    const { memory, views, cursorClass, allocator } = this;
    // Of full length at once, as in `RowViews`.
    this.cursors ??= Array.from({ length: allocator.capacity });
    return (this.cursors[row] ??= cursorClass.make(new RowPointer(memory, views, row)));
  }

  protected newWalk(): RowWalk {
    const pointer = new RowPointer(this.memory, this.views);
    return new RowWalk(this.allocator, this, pointer, this.cursorClass.make(pointer));
  }
}
