// The objects by which a step reads and writes a state. All that are made for one layout have the same classes.
import { accessorOf } from "./accessors.js";
import { HOME, type Home } from "./arrays.js";
import { columnOf } from "./column.js";
import type { GroupNode, Node, TableNode } from "./leaves.js";
import { Rows } from "./rows.js";

/** The part of a state that an object stands for: what `teleport` asks. */
export const NODE = Symbol("node");

/** Makes the objects for the states of a layout. */
export type Make = (home: Home) => object;

export function makerOf(node: Node): Make {
  if (node.kind === "leaf") return (home) => columnOf(node.leaf, home);
  return node.kind === "group" && node.owner.kind === "group" ? groupMaker(node) : columnsMaker(node);
}

/** A group: what can be assigned is an accessor of its class, the rest is made once. */
function groupMaker(node: GroupNode): Make {
  const prototype = Object.create(null) as object;
  const parts: [string, Make][] = [];
  for (const [name, child] of Object.entries(node.children)) {
    const assigned = child.kind === "leaf" && child.leaf.width === 1 && child.leaf.form !== "vector";
    if (assigned) Object.defineProperty(prototype, name, { ...accessorOf(child.leaf), enumerable: true });
    else parts.push([name, makerOf(child)]);
  }
  return (home) => finish(Object.create(prototype) as object, home, node, parts);
}

/** Has nothing. V8 looks the properties of an object without prototype up in a hash table, ten times as slowly. */
const BARE = Object.freeze(Object.create(null) as object);

/** A table, a list of groups, or a group of columns in one. */
function columnsMaker(node: GroupNode | TableNode): Make {
  const parts = Object.entries(node.children).map(([name, child]): [string, Make] => [name, makerOf(child)]);
  return (home) => {
    const object = node.kind === "table" ? new Rows(node, home) : (Object.create(BARE) as object);
    return finish(object, home, node, parts);
  };
}

/** Nothing can be added to it or replaced: it would not be saved. */
function finish(object: object, home: Home, node: Node, parts: readonly [string, Make][]): object {
  Object.defineProperty(object, HOME, { value: home });
  Object.defineProperty(object, NODE, { value: node });
  for (const [name, make] of parts)
    Object.defineProperty(object, name, { value: make(home), enumerable: true });
  return Object.freeze(object);
}
