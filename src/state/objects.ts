// The objects by which a step reads and writes a state. All that are made for one layout have the same classes.
import { accessorOf } from "./accessors.js";
import { columnOf, type StateMemory } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Children, GroupNode, Leaf, ListNode, Node, TableNode } from "./leaves.js";
import { cursorClassOf, type CursorClass } from "./cursor.js";
import { GuardedCursors } from "./guarded-cursors.js";
import { RowAllocator } from "./row-allocator.js";
import { RowCursors } from "./row-cursors.js";
import { viewsOf } from "./row-pointer.js";
import { Rows } from "./rows.js";

/** What every object of a state has beside its fields: none of them has a $. */
export interface Part {
  readonly $memory: StateMemory;
  /** The part of the layout that it stands for. */
  readonly $node: GroupNode | TableNode | ListNode;
}

/** Returns what a column is replaced by. */
type WrapColumn = (leaf: Leaf, column: Column) => Column;

/** What a guard checks. */
export interface Checks {
  /** Each write to a column. */
  readonly column?: WrapColumn | undefined;
}

/** Makes the objects for the states of a layout. With `checks`, the cursors of tables check their use. */
export type Make = (memory: StateMemory, checks?: Checks) => object;

export function makerOf(node: Node): Make {
  if (node.kind === "leaf")
    return (memory, checks) => {
      const column = columnOf(node.leaf, memory);
      return checks?.column ? checks.column(node.leaf, column) : column;
    };
  // Empty, but one for each class: V8 is slow with what has none, and with what shares one but not its accessors.
  const prototype: object = Object.freeze(Object.create(null));
  const accessors: PropertyDescriptorMap = {};
  const parts: [string, Make][] = [];
  for (const [name, child] of Object.entries(node.children as Children)) {
    // In a row, all are columns.
    const isAssigned = node.owner.kind === "group" && child.kind === "leaf" && isOne(child.leaf);
    if (isAssigned) accessors[name] = { ...accessorOf(child.leaf), enumerable: true };
    else parts.push([name, makerOf(child)]);
  }
  const makeRows = node.kind === "table" && rowsMakerOf(node);
  return (memory, checks) => {
    const object = makeRows ? makeRows(memory, checks) : (Object.create(prototype) as object);
    Object.defineProperty(object, "$memory", { value: memory });
    Object.defineProperty(object, "$node", { value: node });
    Object.defineProperties(object, accessors);
    for (const [name, make] of parts)
      Object.defineProperty(object, name, { value: make(memory, checks), enumerable: true });
    // Nothing can be added to it or replaced: it would not be saved.
    return Object.freeze(object);
  };
}

function rowsMakerOf(node: TableNode): Make {
  const plain = cursorClassOf(node, false);
  let guarded: CursorClass | undefined;
  return (memory, checks) => {
    const allocator = new RowAllocator(node, memory);
    const Cursors = checks ? GuardedCursors : RowCursors;
    const cursorClass = checks ? (guarded ??= cursorClassOf(node, true)) : plain;
    const views = viewsOf(cursorClass.viewed, memory, checks?.column);
    return new Rows(allocator, new Cursors(node, memory, allocator, cursorClass, views));
  };
}

/** Numbers and such are assigned; a vector or a list is filled. */
const isOne = ({ width, length }: { width: number; length?: number }) => width === 1 && length === undefined;
