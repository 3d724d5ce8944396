// From declared fields to a tree of nodes.
import { badValue } from "../errors/index.js";
import { Field, SPEC } from "./fields.js";
import { entriesOf } from "./groups.js";
import type { Children, GroupNode, Leaf, LeafNode, Node, Owner, AllocationLeaves, TableNode } from "./leaves.js";
import {
  ListPart,
  TablePart,
  type AnyField,
  type Fields,
  type ListElement,
  type RowFields,
} from "./parts.js";

const TABLE_NAMES = new Set(["id", "capacity", "count", "end", "add", "get", "remove", "row", "clear"]);

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

/** Reads declared fields. Leaves and owners are collected in order of declaration. */
export class Reader {
  readonly leaves: Leaf[] = [];
  readonly owners: Owner[] = [];
  readonly tables: TableNode[] = [];

  /** The whole of a state, or of what is kept beside it under a name of its own. */
  root(fields: Fields, path = ""): GroupNode {
    return this.#group(fields, path, 0);
  }

  #owner(kind: Owner["kind"], path: string, rows: number): Owner {
    const owner = { kind, path, rows, blended: [] } as unknown as Owner;
    const isGroup = kind === "group";
    owner.skips = isGroup ? this.#about(owner, "cuts so far") : this.#aboutRows(owner, "cuts so far", "u32");
    owner.totalSkips = isGroup ? owner.skips : this.#about(owner, "cuts of all rows");
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
      else if (part instanceof Field) children[name] = this.#leaf(part, name, owner, "", at);
      else children[name] = this.#group(part, at, depth + 1);
    }
    linkVelocities(children);
    return { kind: "group", owner, children };
  }

  #table({ capacity, row }: TablePart<RowFields>, path: string, depth: number): TableNode {
    const owner = this.#owner("table", path, capacity);
    const allocation: AllocationLeaves = {
      id: this.#aboutRows(owner, "id", "f64"),
      next: this.#aboutRows(owner, "next free row", "u32"),
      count: this.#about(owner, "count"),
      end: this.#about(owner, "end"),
      free: this.#about(owner, "first free row"),
    };
    owner.ids = allocation.id;
    const children = this.#columns(row, owner, path, "", depth + 1);
    for (const name of Object.keys(children))
      if (TABLE_NAMES.has(name))
        badValue(`layout: ${path}.${name}`, "another name: tables have it for themselves", name, `${name}_`);
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

  /** The columns of a table's or list's rows; groups in them have columns of their own. */
  #columns(fields: Fields, owner: Owner, head: string, tail: string, depth: number): Children {
    const children: Record<string, Node> = {};
    for (const [name, part] of entriesOf(fields, head + tail, depth)) {
      const at = `${tail}.${name}`;
      if (part instanceof Field) children[name] = this.#leaf(part, name, owner, head, at);
      else if (part instanceof ListPart && part.element instanceof Field)
        children[name] = this.#leaf(part.element, name, owner, head, at, part.length);
      else if (part instanceof TablePart || part instanceof ListPart)
        badValue(
          `layout: ${head}${at}`,
          "a field, a list of a field, or a group: rows hold no others",
          part instanceof TablePart ? "a table" : "a list of groups",
          "a table beside it, with the id of the row",
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

  #leaf(
    { [SPEC]: spec }: AnyField,
    name: string,
    owner: Owner,
    head: string,
    tail: string,
    length?: number,
  ): LeafNode {
    const stride = spec.width * (length ?? 1);
    const isList = length !== undefined && { length };
    const place = { name, owner, rows: owner.rows, stride, head, tail, hidden: false, offset: 0 };
    const leaf: Leaf = { ...spec, ...place, ...isList };
    this.leaves.push(leaf);
    if (spec.blendMode) owner.blended.push(leaf);
    return { kind: "leaf", leaf };
  }

  /** A number about an owner as a whole. */
  #about(owner: Owner, name: string): Leaf {
    return this.#hidden("u32", name, owner, 1, "", join(owner.path, name));
  }

  /** A number about each row of an owner. */
  #aboutRows(owner: Owner, name: string, type: "f64" | "u32"): Leaf {
    return this.#hidden(type, name, owner, owner.rows, owner.path, `.${name}`);
  }

  #hidden(type: "f64" | "u32", name: string, owner: Owner, rows: number, head: string, tail: string): Leaf {
    const spec = { type, width: 1, form: "number" } as const;
    const leaf: Leaf = { ...spec, name, owner, rows, stride: 1, head, tail, hidden: true, offset: 0 };
    this.leaves.push(leaf);
    return leaf;
  }
}

/** Leads from what is blended on a curve to its velocity, which lies beside it and is of the same type. */
function linkVelocities(children: Children): void {
  for (const node of Object.values(children)) {
    if (node.kind !== "leaf" || node.leaf.blendMode !== "hermite") continue;
    const { leaf } = node;
    const { velocity = "" } = leaf;
    const beside = Object.hasOwn(children, velocity) ? children[velocity] : undefined;
    const found = beside?.kind === "leaf" && beside !== node ? beside.leaf : undefined;
    if (!found || found.type !== leaf.type || found.stride !== leaf.stride)
      badValue(
        `layout: ${leaf.head}${leaf.tail}.hermite`,
        "given the name of a field beside it, of the same type",
        leaf.velocity,
        `{ ${leaf.name}: f64.hermite("v${leaf.name}"), v${leaf.name}: f64 }`,
      );
    leaf.velocityLeaf = found;
  }
}
