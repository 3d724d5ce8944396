// Turns declared fields into a tree of nodes.
import { badValue, misuse } from "../errors/index.js";
import { Field, SPEC, type FieldSpec } from "./fields.js";
import { entriesOf } from "./groups.js";
import type {
  Children,
  GroupNode,
  Leaf,
  LeafNode,
  Node,
  Owner,
  AllocationLeaves,
  TableNode,
  TrailColumnLeaf,
  TrailLeaves,
} from "./leaves.js";
import {
  ListPart,
  TablePart,
  TrailPart,
  type AnyField,
  type Fields,
  type ListElement,
  type RowFields,
  type TrailFields,
} from "./parts.js";

const TABLE_NAMES = new Set(["id", "capacity", "count", "end", "add", "get", "remove", "row", "clear"]);

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

/** Reads declared fields, and collects leaves and owners in order of declaration. */
export class Reader {
  readonly leaves: Leaf[] = [];
  readonly owners: Owner[] = [];
  readonly tables: TableNode[] = [];

  /** Reads the root of a state. */
  root(fields: Fields, path = ""): GroupNode {
    return this.#group(fields, path, 0);
  }

  #owner(kind: Owner["kind"], path: string, rows: number): Owner {
    const owner = { kind, path, rows, blended: [] } as unknown as Owner;
    const isGroup = kind === "group";
    // The names of hidden leaves are part of the fingerprint: they must not change.
    owner.skips = isGroup
      ? this.#hiddenNumber(owner, "cuts so far")
      : this.#hiddenColumn(owner, "cuts so far", "u32");
    owner.totalSkips = isGroup ? owner.skips : this.#hiddenNumber(owner, "cuts of all rows");
    this.owners.push(owner);
    return owner;
  }

  #group(fields: Fields, path: string, depth: number): GroupNode {
    const owner = this.#owner("group", path, 1);
    const children: Record<string, Node> = {};
    for (const [name, part] of entriesOf(fields, path, depth)) {
      const at = join(path, name);
      if (part instanceof TablePart) children[name] = this.#table(part, at, depth);
      else if (part instanceof ListPart) children[name] = this.#list(part, name, at, owner, depth);
      else if (part instanceof TrailPart) children[name] = this.#trail(part, owner, "", at, depth);
      else if (part instanceof Field) children[name] = this.#leaf(part, name, owner, "", at);
      else children[name] = this.#group(part, at, depth + 1);
    }
    linkVelocities(children);
    return { kind: "group", owner, children };
  }

  #table({ capacity, row, isSecret }: TablePart<RowFields>, path: string, depth: number): TableNode {
    const owner = this.#owner("table", path, capacity);
    if (isSecret) owner.isSecret = true;
    const allocation: AllocationLeaves = {
      id: this.#hiddenColumn(owner, "id", "f64"),
      next: this.#hiddenColumn(owner, "next free row", "u32"),
      count: this.#hiddenNumber(owner, "count"),
      end: this.#hiddenNumber(owner, "end"),
      free: this.#hiddenNumber(owner, "first free row"),
    };
    owner.ids = allocation.id;
    const children = this.#columns(row, owner, path, "", depth + 1);
    for (const name of Object.keys(children))
      if (TABLE_NAMES.has(name))
        misuse("in-use", "layout", `${path}.${name}: "${name}" is reserved by tables`, `Try "${name}_"`);
    const node: TableNode = { kind: "table", owner, children, allocation };
    this.tables.push(node);
    return node;
  }

  #list(part: ListPart<ListElement>, name: string, path: string, parent: Owner, depth: number): Node {
    const { length, element } = part;
    if (element instanceof Field) return this.#leaf(element, name, parent, "", path, length);
    const owner = this.#owner("list", path, length);
    return { kind: "list", owner, children: this.#columns(element, owner, path, "", depth + 1) };
  }

  /** Reads the columns of a table or a list of groups. */
  #columns(fields: Fields, owner: Owner, head: string, tail: string, depth: number): Children {
    const children: Record<string, Node> = {};
    for (const [name, part] of entriesOf(fields, head + tail, depth)) {
      const at = `${tail}.${name}`;
      if (part instanceof Field) children[name] = this.#leaf(part, name, owner, head, at);
      else if (part instanceof ListPart && part.element instanceof Field)
        children[name] = this.#leaf(part.element, name, owner, head, at, part.length);
      else if (part instanceof TrailPart) children[name] = this.#trail(part, owner, head, at, depth);
      else if (part instanceof TablePart || part instanceof ListPart)
        badValue(
          `layout: ${head}${at}`,
          "a field, a list of a field, a trail, or a group, as rows cannot hold tables or lists of groups",
          part,
          "a second table with an id field for the row",
        );
      else
        children[name] = {
          kind: "group",
          owner,
          children: this.#columns(part, owner, head, at, depth + 1),
        };
    }
    linkVelocities(children);
    return children;
  }

  /** Reads a trail as a group: a list per field, and the position, whose name no field can have. */
  #trail(
    { ticks, values }: TrailPart<TrailFields>,
    owner: Owner,
    head: string,
    tail: string,
    depth: number,
  ): GroupNode {
    const columns: TrailColumnLeaf[] = [];
    const trail = { ticks, columns } as unknown as Writable<TrailLeaves>;
    const children: Record<string, Node> = {};
    for (const [name, field] of entriesOf(values as Fields, head + tail, depth + 1)) {
      const at = `${tail}.${name}`;
      if (!(field instanceof Field) || field[SPEC].blendMode === "hermite")
        badValue(
          `layout: ${head}${at}`,
          "a field, other than hermite, as it is part of a trail",
          field,
          "f64",
        );
      // A view never blends a trail: the mode is for reads between two ticks.
      const { blendMode, ...spec } = field[SPEC];
      const node = this.#leaf(new Field(spec), name, owner, head, at, ticks, trail);
      columns.push({ leaf: node.leaf, blend: trailBlendOf(spec, blendMode) });
      children[name] = node;
    }
    // If no field is sent, neither is how many values there are.
    const marks = columns.every(({ leaf }) => leaf.isSecret) && { isSecret: true };
    trail.position = this.#addHidden("u16", "next slot", owner, owner.rows, head, `${tail}.next slot`, {
      trail,
      ...marks,
    });
    children["$position"] = { kind: "leaf", leaf: trail.position };
    return { kind: "group", owner, children, trail };
  }

  #leaf(
    { [SPEC]: spec }: AnyField,
    name: string,
    owner: Owner,
    head: string,
    tail: string,
    length?: number,
    trail?: TrailLeaves,
  ): LeafNode {
    const stride = spec.width * (length ?? 1);
    const isList = length !== undefined && { length };
    const column = { name, owner, rows: owner.rows, stride, head, tail, hidden: false, offset: 0 };
    const leaf: Leaf = { ...spec, ...column, ...isList, ...(trail && { trail }) };
    this.leaves.push(leaf);
    if (spec.blendMode) owner.blended.push(leaf);
    return { kind: "leaf", leaf };
  }

  /** Adds a hidden number of an owner. */
  #hiddenNumber(owner: Owner, name: string): Leaf {
    return this.#addHidden("u32", name, owner, 1, "", join(owner.path, name));
  }

  /** Adds a hidden number of each row of an owner. */
  #hiddenColumn(owner: Owner, name: string, type: "f64" | "u32"): Leaf {
    return this.#addHidden(type, name, owner, owner.rows, owner.path, `.${name}`);
  }

  #addHidden(
    type: "f64" | "u32" | "u16",
    name: string,
    owner: Owner,
    rows: number,
    head: string,
    tail: string,
    more?: Partial<Leaf>,
  ): Leaf {
    const spec = { type, width: 1, form: "number" } as const;
    const column = { name, owner, rows, stride: 1, head, tail, hidden: true, offset: 0 };
    const leaf: Leaf = { ...spec, ...column, ...more };
    this.leaves.push(leaf);
    return leaf;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns how a trail's field is read between two ticks. Only functions with the same result on all engines will do. */
function trailBlendOf(
  { type, form, isId }: FieldSpec,
  mode: FieldSpec["blendMode"],
): TrailColumnLeaf["blend"] {
  if (form === "quat") return "nlerp";
  if (isId) return "hold";
  return mode === "angle" ? "angle" : type === "f64" || type === "f32" ? "lerp" : "hold";
}

/** Finds the velocity of each "hermite" leaf: a leaf of the same type in the same group. */
function linkVelocities(children: Children): void {
  for (const node of Object.values(children)) {
    if (node.kind !== "leaf" || node.leaf.blendMode !== "hermite") continue;
    const { leaf } = node;
    const { velocity = "" } = leaf;
    const sibling = Object.hasOwn(children, velocity) ? children[velocity] : undefined;
    const found = sibling?.kind === "leaf" && sibling !== node ? sibling.leaf : undefined;
    if (!found || found.type !== leaf.type || found.stride !== leaf.stride)
      badValue(
        `layout: ${leaf.head}${leaf.tail}.hermite`,
        "the name of a field of the same type in the same group",
        leaf.velocity,
        `{ ${leaf.name}: f64.hermite("v${leaf.name}"), v${leaf.name}: f64 }`,
      );
    leaf.velocityLeaf = found;
  }
}
