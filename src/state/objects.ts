// The objects through which a step reads and writes a state. All objects for one layout share their classes.
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
import { ColumnTrail, RowTrail } from "./trail.js";
import { TrailShape } from "./trail-shape.js";

/** The properties of every object of a state besides its fields, whose names contain no $. */
export interface Part {
  readonly $memory: StateMemory;
  /** Its part of the layout. */
  readonly $node: GroupNode | TableNode | ListNode;
}

/** Wraps a column. */
type WrapColumn = (leaf: Leaf, column: Column) => Column;

/** The checks of a guarded world. */
export interface Checks {
  /** Wraps each column, to check writes. */
  readonly column?: WrapColumn | undefined;
}

/** Makes the objects for a state. With `checks`, the cursors of tables throw when they are used too late. */
export type Make = (memory: StateMemory, checks?: Checks) => object;

export function makerOf(node: Node): Make {
  if (node.kind === "leaf")
    return (memory, checks) => {
      const column = columnOf(node.leaf, memory);
      return checks?.column ? checks.column(node.leaf, column) : column;
    };
  if (node.kind === "group" && node.trail) {
    const shape = new TrailShape(node.trail);
    const isOnlyOne = node.owner.kind === "group";
    return (memory) => (isOnlyOne ? new RowTrail(shape, { memory, row: 0 }) : new ColumnTrail(shape, memory));
  }
  // One empty prototype per class: V8 is slow with null prototypes, and with different accessors on a shared prototype.
  const prototype: object = Object.freeze(Object.create(null));
  const accessors: PropertyDescriptorMap = {};
  const parts: [string, Make][] = [];
  for (const [name, child] of Object.entries(node.children as Children)) {
    // In a table or list, every leaf is a column.
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
    // Frozen, as properties that users add would not be saved.
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

/** Whether a leaf is a single value, which is assigned. Vectors and lists are filled. */
const isOne = ({ width, length }: { width: number; length?: number }) => width === 1 && length === undefined;
