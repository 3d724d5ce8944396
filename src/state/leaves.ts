// A declared state as a tree of nodes. Its leaves are columns in memory.
import type { FieldSpec } from "./fields.js";

/** A column, or a single field, in memory: `rows` times `stride` numbers. */
export interface Leaf extends FieldSpec {
  readonly name: string;
  /** The group, table or list that it belongs to. */
  readonly owner: Owner;
  readonly rows: number;
  /** Elements per row, if it is a list. */
  readonly length?: number;
  /** Numbers per row. */
  readonly stride: number;
  /** The path in errors and differences: `crates` and `.position` make `crates[17].position`. */
  readonly head: string;
  readonly tail: string;
  /** Not declared by the user: bookkeeping of a table, or a count of skips. */
  readonly hidden: boolean;
  /** The trail that it belongs to. */
  readonly trail?: TrailLeaves;
  /** The leaf that holds the velocity, for "hermite". */
  velocityLeaf?: Leaf;
  /** Byte offset in a state. */
  offset: number;
}

/** The owner of leaves: a group, a table or a list of groups. Each of its rows is blended, or skipped, as a whole. */
export interface Owner {
  readonly kind: "group" | "table" | "list";
  readonly path: string;
  readonly rows: number;
  /** The leaves that have a blend mode. */
  readonly blended: Leaf[];
  /** For each row, how often its blending was skipped. Exists even if nothing is blended: blend modes must not change offsets. */
  skips: Leaf;
  /** The sum of `skips`, to check all rows at once. The same leaf as `skips` for a group. */
  totalSkips: Leaf;
  /** The row ids of a table. */
  ids?: Leaf;
  /** Never sent to a peer in a snapshot. */
  isSecret?: boolean;
}

export interface GroupNode {
  readonly kind: "group";
  readonly owner: Owner;
  readonly children: Children;
  /** Set if the group is a trail: its children are the columns and the position. */
  readonly trail?: TrailLeaves;
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

/** The leaves of a trail: see `TrailMemory`. */
export interface TrailLeaves {
  /** Maximum number of values. */
  readonly ticks: number;
  readonly columns: readonly TrailColumnLeaf[];
  /** Where the next value goes, per row. Values from `ticks` on mean that the trail is full. */
  readonly position: Leaf;
}

/** A column of a trail. */
export interface TrailColumnLeaf {
  readonly leaf: Leaf;
  /** How values between two ticks are read. "hold" takes the earlier one, as a view does. */
  readonly blend: "lerp" | "angle" | "nlerp" | "hold";
}

/** The bookkeeping of a table's rows: see `RowAllocator`. */
export interface AllocationLeaves {
  readonly id: Leaf;
  readonly next: Leaf;
  readonly count: Leaf;
  readonly end: Leaf;
  readonly free: Leaf;
}
