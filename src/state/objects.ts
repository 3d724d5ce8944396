// The objects by which a step reads and writes a state. All that are made for one layout have the same classes.
import { accessorOf } from "./accessors.js";
import { columnOf, type Home } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Children, GroupNode, Leaf, ListNode, Node, TableNode } from "./leaves.js";
import { Rows } from "./rows.js";

/** What every object of a state has beside its fields: none of them has a $. */
export interface Part {
  readonly $home: Home;
  /** The part of the layout that it stands for. */
  readonly $node: GroupNode | TableNode | ListNode;
}

/** Returns what a column is replaced by. */
export type WrapColumn = (leaf: Leaf, column: Column) => Column;

/** Makes the objects for the states of a layout. */
export type Make = (home: Home, wrap?: WrapColumn) => object;

export function makerOf(node: Node): Make {
  if (node.kind === "leaf")
    return (home, wrap) => {
      const column = columnOf(node.leaf, home);
      return wrap ? wrap(node.leaf, column) : column;
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
  return (home, wrap) => {
    const object = node.kind === "table" ? new Rows(node, home) : (Object.create(prototype) as object);
    Object.defineProperty(object, "$home", { value: home });
    Object.defineProperty(object, "$node", { value: node });
    Object.defineProperties(object, accessors);
    for (const [name, make] of parts)
      Object.defineProperty(object, name, { value: make(home, wrap), enumerable: true });
    // Nothing can be added to it or replaced: it would not be saved.
    return Object.freeze(object);
  };
}

/** Numbers and such are assigned; a vector or a list is filled. */
const isOne = ({ width, length }: { width: number; length?: number }) => width === 1 && length === undefined;
