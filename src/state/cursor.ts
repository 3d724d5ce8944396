// One class of cursors per table: objects whose properties read and write the row that their pointer points to.
import type { Children, Leaf, TableNode } from "./leaves.js";
import { rowAccessorOf, type CursorObject, type RowAccessor } from "./row-accessors.js";
import type { RowPointer } from "./row-pointer.js";
import { GuardedTrail, RowTrail } from "./trail.js";
import { TrailShape } from "./trail-shape.js";

/** Creates a cursor for a pointer. */
type MakeCursor = (at: RowPointer) => object;

export interface CursorClass {
  readonly make: MakeCursor;
  /** The vectors and lists of a row, in the order of `RowPointer.views`. */
  readonly viewed: readonly Leaf[];
}

/** A pointer that checks each use of its cursor: see `guarded-cursors.ts`. */
export interface CheckedPointer extends RowPointer {
  /** Throws if the row was removed, or the loop has moved on. */
  requireLive(): void;
}

const ROW: RowAccessor = {
  get() {
    return this.$at.row;
  },
};

/** Returns the class of a table's cursors, for all states of a layout. Guarded cursors need a `CheckedPointer`. */
export function cursorClassOf(node: TableNode, isGuarded: boolean): CursorClass {
  const viewed: Leaf[] = [];
  const guarded = (accessor: RowAccessor) => (isGuarded ? checked(accessor) : accessor);
  const accessorOf = (leaf: Leaf) => guarded(rowAccessorOf(leaf, viewed));
  const keys: PropertyDescriptorMap = {
    $node: { value: node },
    id: { get: accessorOf(node.allocation.id).get! },
    row: guarded(ROW),
  };
  return { make: makerOf(node.children, keys, accessorOf, isGuarded ? GuardedTrail : RowTrail), viewed };
}

/**
 * Makes cursors, or the groups in them. Fields are own, enumerable properties, so `{ ...drop }` copies a row. `keys` are not
 * enumerable, so `add` accepts such a copy.
 */
function makerOf(
  children: Children,
  keys: PropertyDescriptorMap,
  accessorOf: (leaf: Leaf) => RowAccessor,
  Trail: typeof RowTrail,
): MakeCursor {
  // One prototype per class, as in `objects.ts`.
  const prototype: object = Object.freeze(Object.create(null));
  const properties: PropertyDescriptorMap = { ...keys };
  const groups: [string, MakeCursor][] = [];
  for (const [name, child] of Object.entries(children))
    if (child.kind === "leaf") properties[name] = { ...accessorOf(child.leaf), enumerable: true };
    else if (child.kind === "group" && child.trail) {
      const shape = new TrailShape(child.trail);
      groups.push([name, (at) => new Trail(shape, at)]);
    } else groups.push([name, makerOf(child.children, {}, accessorOf, Trail)]);
  return (at) => {
    const object = Object.create(prototype) as object;
    Object.defineProperty(object, "$at", { value: at });
    Object.defineProperties(object, properties);
    for (const [name, make] of groups)
      Object.defineProperty(object, name, { value: make(at), enumerable: true });
    return Object.freeze(object);
  };
}

/** Returns an accessor that checks the pointer first. */
function checked({ get, set }: RowAccessor): RowAccessor {
  const accessor: RowAccessor = {
    get() {
      (this.$at as CheckedPointer).requireLive();
      return get!.call(this) as unknown;
    },
  };
  if (set)
    accessor.set = function (this: CursorObject, value: unknown) {
      (this.$at as CheckedPointer).requireLive();
      set.call(this, value);
    };
  return accessor;
}
