// From declared fields to a tree of nodes, whose leaves are what lies in memory.
import { refuse } from "../time/refuse.js";
import { Field, SPEC, type FieldSpec } from "./fields.js";
import {
  ListPart,
  TablePart,
  type AnyField,
  type Fields,
  type ListElement,
  type RowFields,
} from "./parts.js";

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
  /** Counts the cuts of each row. Also where nothing is blended: a mark does not change where things lie. */
  cuts: Leaf;
  /** Their sum, so that a look at one number tells that there was none. */
  changes: Leaf;
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
  readonly books: TableBooks;
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
interface TableBooks {
  readonly id: Leaf;
  readonly next: Leaf;
  readonly count: Leaf;
  readonly end: Leaf;
  readonly free: Leaf;
}

const TABLE_NAMES = new Set(["id", "capacity", "count", "end", "add", "remove", "row", "clear"]);
const CALL = "layout";
const PARTS = "a field, a table, a list or a group of them";
/** Groups in groups; a group that holds itself has no end. */
const MOST_DEEP = 200;

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
    owner.cuts = isGroup ? this.#about(owner, "cuts so far") : this.#aboutRows(owner, "cuts so far", "u32");
    owner.changes = isGroup ? owner.cuts : this.#about(owner, "cuts of all rows");
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
    const books: TableBooks = {
      id: this.#aboutRows(owner, "id", "f64"),
      next: this.#aboutRows(owner, "next free row", "u32"),
      count: this.#about(owner, "count"),
      end: this.#about(owner, "end"),
      free: this.#about(owner, "first free row"),
    };
    const children = this.#columns(row, owner, path, "", depth + 1);
    for (const name of Object.keys(children))
      if (TABLE_NAMES.has(name))
        refuse(`${CALL}: ${path}.${name}`, "another name: tables have it for themselves", name, `${name}_`);
    const node: TableNode = { kind: "table", owner, children, books };
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
        refuse(
          `${CALL}: ${head}${at}`,
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
    if (spec.mark) owner.blended.push(leaf);
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
    if (node.kind !== "leaf" || node.leaf.mark !== "hermite") continue;
    const { leaf } = node;
    const { velocity = "" } = leaf;
    const beside = Object.hasOwn(children, velocity) ? children[velocity] : undefined;
    const found = beside?.kind === "leaf" && beside !== node ? beside.leaf : undefined;
    if (!found || found.type !== leaf.type || found.stride !== leaf.stride)
      refuse(
        `${CALL}: ${leaf.head}${leaf.tail}.hermite`,
        "given the name of a field beside it, of the same type",
        leaf.velocity,
        `{ ${leaf.name}: f64.hermite("v${leaf.name}"), v${leaf.name}: f64 }`,
      );
    leaf.velocityLeaf = found;
  }
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

// As in JavaScript, but for $, which is ours.
const NAME = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

/** The parts of a group, each with a name that it can have. */
function entriesOf(fields: Fields, path: string, depth: number): [string, Fields[string]][] {
  const at = `${CALL}: ${path.slice(0, 60) || "fields"}`;
  requirePlain(at, fields);
  if (depth > MOST_DEEP)
    refuse(at, `a group at most ${MOST_DEEP} deep`, "a deeper one", "a group that does not hold itself");
  const entries = Object.entries(fields);
  if (entries.length === 0) refuse(at, "a group with something in it", fields, "{ score: u32 }");
  for (const [name] of entries) {
    const subject = `${CALL}: name${path && ` in ${path.slice(0, 60)}`}`;
    if (!NAME.test(name)) refuse(subject, "letters, digits and _, no digit first", name, "score");
    if (name in Object.prototype) refuse(subject, "none that every object has", name, `${name}_`);
  }
  return entries;
}

/** A group is no instance of anything: a typed array, a field of another copy of this package. */
function requirePlain(subject: string, value: unknown): void {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return;
  const { name } = ((value as object | undefined)?.constructor ?? {}) as { name?: string };
  refuse(
    subject,
    PARTS,
    typeof value === "object" && name ? `an object of ${name}` : value,
    "{ score: u32 }",
  );
}
