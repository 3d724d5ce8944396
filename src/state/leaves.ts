// A declared state as a tree of nodes, whose leaves are what lies in memory.
import type { FieldSpec } from "./fields.js";

/** One column, or one field, in memory: `rows` times `stride` numbers. */
export interface Leaf extends FieldSpec {
  readonly name: string;
  /** What has it: it is blended with the rest of that. */
  readonly owner: Owner;
  readonly rows: number;
  /** Elements in a row, if it is a list. */
  readonly length?: number;
  /** Numbers from a row to the next. */
  readonly stride: number;
  /** In an error or a difference: `crates` and `.position` make `crates[17].position`. */
  readonly head: string;
  readonly tail: string;
  /** Not a declared field, but something about them. */
  readonly hidden: boolean;
  /** What holds its velocity, for "hermite". */
  velocityLeaf?: Leaf;
  /** Bytes from the start of a state. */
  offset: number;
}

/** What has leaves, and is blended or cut as one: a group, a row of a table or of a list of groups. */
export interface Owner {
  readonly kind: "group" | "table" | "list";
  readonly path: string;
  readonly rows: number;
  /** Its marked leaves. */
  readonly blended: Leaf[];
  /** Counts the skips of each row. Also where nothing is blended: a mark does not change where things lie. */
  skips: Leaf;
  /** Their sum, so that a look at one number tells that there was none. */
  totalSkips: Leaf;
  /** The ids of its rows, for a table. */
  ids?: Leaf;
}

export interface GroupNode {
  readonly kind: "group";
  readonly owner: Owner;
  readonly children: Children;
}
export interface TableNode {
  readonly kind: "table";
  readonly owner: Owner;
  readonly children: Children;
  readonly allocation: AllocationLeaves;
}
export interface ListNode {
  readonly kind: "list";
  readonly owner: Owner;
  readonly children: Children;
}
export interface LeafNode {
  readonly kind: "leaf";
  readonly leaf: Leaf;
}
export type Node = GroupNode | TableNode | ListNode | LeafNode;
export type Children = Readonly<Record<string, Node>>;

/** What a table keeps about its rows. */
export interface AllocationLeaves {
  readonly id: Leaf;
  readonly next: Leaf;
  readonly count: Leaf;
  readonly end: Leaf;
  readonly free: Leaf;
}
