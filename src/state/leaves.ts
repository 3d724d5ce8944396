// From declared fields to a tree of nodes, whose leaves are what lies in memory.
import { refuse } from "../time/refuse.js";
import { Field, SPEC, type FieldSpec } from "./fields.js";
import { ListPart, TablePart, type Fields, type ListElement, type RowFields } from "./parts.js";

/** One column, or one field, in memory: `rows` values of `width` numbers. */
export interface Leaf extends FieldSpec {
  readonly name: string;
  /** What has it: it is blended with the rest of that. */
  readonly owner: Owner;
  readonly rows: number;
  /** In an error or a difference: `crates` and `.position` make `crates[17].position`. */
  readonly head: string;
  readonly tail: string;
  /** For people or for bookkeeping. */
  readonly hidden: boolean;
  /** Bytes from the start of a state. */
  offset: number;
}

/** What has leaves: a group, a table, a list of groups. */
export interface Owner {
  readonly kind: "group" | "table" | "list";
  readonly path: string;
  readonly rows: number;
  /** Its marked leaves. */
  readonly blended: Leaf[];
  /** Counts, for each row, what must not be blended across; only where something is blended. */
  cuts?: Leaf;
  /** Their sum, so that a look at one number tells that there was none. */
  changes?: Leaf;
}

export interface GroupNode {
  readonly kind: "group";
  readonly owner: Owner;
  readonly children: Record<string, Node>;
}
export interface TableNode {
  readonly kind: "table" | "list";
  readonly owner: Owner;
  readonly children: Record<string, Node>;
  /** Leaves of its own, by name: those that tables count with. */
  readonly books: Record<string, Leaf>;
}
export interface LeafNode {
  readonly kind: "leaf";
  readonly leaf: Leaf;
}
export type Node = GroupNode | TableNode | LeafNode;

const TABLE_NAMES = new Set(["id", "capacity", "count", "end", "add", "remove", "row", "clear"]);
const CALL = "layout";

/** Reads declared fields. Leaves and owners are collected in order of declaration. */
export class Reader {
  readonly leaves: Leaf[] = [];
  readonly owners: Owner[] = [];
  readonly tables: TableNode[] = [];

  /** The whole of a state, or of what is kept beside it under a name of its own. */
  root(fields: Fields, path = ""): GroupNode {
    return this.#group(fields, this.#owner("group", path, 1), path);
  }

  #owner(kind: Owner["kind"], path: string, rows: number): Owner {
    const owner: Owner = { kind, path, rows, blended: [] };
    this.owners.push(owner);
    return owner;
  }

  #group(fields: Fields, owner: Owner, path: string): GroupNode {
    const children: Record<string, Node> = {};
    for (const [name, part] of entriesOf(fields, path)) {
      const at = join(path, name);
      if (part instanceof TablePart) children[name] = this.#table(part, at);
      else if (part instanceof ListPart) children[name] = this.#list(part, name, at, owner);
      else if (part instanceof Field) children[name] = this.#leaf(part[SPEC], name, owner, "", at, fields);
      else children[name] = this.#group(part, this.#owner("group", at, 1), at);
    }
    this.#finish(owner);
    return { kind: "group", owner, children };
  }

  #table({ capacity, row }: TablePart<RowFields>, path: string): TableNode {
    const owner = this.#owner("table", path, capacity);
    for (const [name] of entriesOf(row, path))
      if (TABLE_NAMES.has(name))
        refuse(`${CALL}: ${path}.${name}`, "another name: tables have it for themselves", name, `${name}_`);
    const hold = (name: string, type: "f64" | "u32", rows: number) =>
      this.#hidden({ type, width: 1, form: "number" }, name, owner, rows);
    const books: Record<string, Leaf> = {
      id: hold("id", "f64", capacity),
      next: hold("next free row", "u32", capacity),
      count: hold("count", "u32", 1),
      end: hold("end", "u32", 1),
      free: hold("first free row", "u32", 1),
    };
    const children = this.#columns(row, owner, path, "");
    this.#finish(owner);
    const node: TableNode = { kind: "table", owner, children, books };
    this.tables.push(node);
    return node;
  }

  #list({ length, element }: ListPart<ListElement>, name: string, path: string, parent: Owner): Node {
    if (element instanceof Field) {
      const { type, width, form, mark, names, velocity } = element[SPEC];
      if (velocity !== undefined)
        refuse(
          `${CALL}: ${path}`,
          "blended without a velocity: it is a list of numbers",
          mark,
          "list(8, { x, vx })",
        );
      const spec: FieldSpec = { type, width: width * length, form: width === 1 ? "vector" : form };
      return this.#leaf({ ...spec, ...(mark && { mark }), ...(names && { names }) }, name, parent, "", path);
    }
    const owner = this.#owner("list", path, length);
    const children = this.#columns(element, owner, path, "");
    this.#finish(owner);
    return { kind: "list", owner, children, books: {} };
  }

  /** The columns of a table's or list's rows; groups in them have columns of their own. */
  #columns(fields: Fields, owner: Owner, head: string, tail: string): Record<string, Node> {
    const children: Record<string, Node> = {};
    for (const [name, part] of entriesOf(fields, head + tail)) {
      const at = `${tail}.${name}`;
      if (part instanceof TablePart || part instanceof ListPart)
        refuse(
          `${CALL}: ${head}${at}`,
          "a field or a group: tables and lists hold no others",
          "one",
          "a table beside it, with the id of the row",
        );
      children[name] =
        part instanceof Field
          ? this.#leaf(part[SPEC], name, owner, head, at, fields)
          : { kind: "group", owner, children: this.#columns(part as Fields, owner, head, at) };
    }
    return children;
  }

  #leaf(
    spec: FieldSpec,
    name: string,
    owner: Owner,
    head: string,
    tail: string,
    siblings?: Fields,
  ): LeafNode {
    const leaf: Leaf = { ...spec, name, owner, rows: owner.rows, head, tail, hidden: false, offset: 0 };
    if (spec.velocity !== undefined) requireVelocity(leaf, siblings!);
    this.leaves.push(leaf);
    if (spec.mark) owner.blended.push(leaf);
    return { kind: "leaf", leaf };
  }

  #hidden(spec: FieldSpec, name: string, owner: Owner, rows: number): Leaf {
    const isRow = rows === owner.rows && owner.kind !== "group" && rows > 1;
    const leaf: Leaf = {
      ...spec,
      name,
      owner,
      rows,
      head: isRow ? owner.path : "",
      tail: isRow ? `.${name}` : join(owner.path, name),
      hidden: true,
      offset: 0,
    };
    this.leaves.push(leaf);
    return leaf;
  }

  /** What is blended counts what must not be. */
  #finish(owner: Owner): void {
    if (owner.blended.length === 0) return;
    const spec = { type: "u32", width: 1, form: "number" } as const;
    owner.cuts = this.#hidden(spec, "cuts", owner, owner.rows);
    owner.changes = owner.rows === 1 ? owner.cuts : this.#hidden(spec, "changes", owner, 1);
  }
}

/** A velocity lies beside what it moves, and is of the same kind. */
function requireVelocity(leaf: Leaf, siblings: Fields): void {
  const sibling = siblings[leaf.velocity!];
  const spec = sibling instanceof Field ? sibling[SPEC] : undefined;
  if (spec?.type !== leaf.type || spec.width !== leaf.width)
    refuse(
      `${CALL}: ${leaf.head}${leaf.tail}.hermite`,
      "given the name of a field beside it, of the same type",
      leaf.velocity,
      `{ ${leaf.name}: ${leaf.type}.hermite("v${leaf.name}"), v${leaf.name}: ${leaf.type} }`,
    );
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The parts of a group, each with a name that it can have. */
function entriesOf(fields: Fields, path: string): [string, Fields[string]][] {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    refuse(
      `${CALL}: ${path || "fields"}`,
      "a field, a table, a list or a group of them",
      fields,
      "{ score: u32 }",
    );
  const entries = Object.entries(fields);
  if (entries.length === 0)
    refuse(`${CALL}: ${path || "fields"}`, "a group with something in it", fields, "{ score: u32 }");
  for (const [name] of entries)
    if (!NAME.test(name) || name in Object.prototype)
      refuse(`${CALL}: ${path ? `${path}: ` : ""}a field's name`, "letters, digits and _", name, "score");
  return entries;
}
