// Copies a state to another layout, field by field.
import { badValue, misuse, unknownName } from "../errors/index.js";
import { columnOf, type StateMemory } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Children, GroupNode, Leaf, ListNode, Node, TableNode } from "./leaves.js";
import { moveRows, type MovedRows } from "./moved-rows.js";
import type { Part } from "./objects.js";
import type { State } from "./state.js";
import {
  fixFor,
  example,
  holds,
  isZero,
  numberFor,
  resizedTrail,
  valueOf,
  type OldValue,
} from "./migrate-values.js";
import { listOf, readable } from "./values.js";

/** The saved values, as passed to a function that converts a field. */
export interface OldFields {
  /** The version of the simulation that saved the state. */
  readonly version: number;
  /** Whether the saved state has a field of this name, such as "hero.hp". */
  has(name: string): boolean;
  /** Returns the value of a field. In a function for a column, other columns of the table or list return the value of the same row. */
  get<T extends OldValue = number>(name: string): T;
}

/** Computes the new value of a field from the saved fields. */
export type ConvertField = (old: OldFields) => OldValue;

/** For each new name of a field, its old name or a function that converts it. */
export interface FieldChanges {
  readonly [name: string]: string | ConvertField | undefined;
}

interface Index {
  readonly leaves: Map<string, Leaf>;
  readonly parts: Map<string, GroupNode | TableNode | ListNode>;
}

const CALL = "migrate";

/** Throws for a saved state that does not fit the new layout without help. */
const fail = (problem: string, fix: string): never => misuse("wrong-simulation", CALL, problem, fix);

/**
 * @internal Copies the old world to the new one, which must be empty. `ids` maps the new name of an id field to the new name of the table
 * whose ids it holds.
 */
export function migrateState(
  from: State,
  to: State,
  version: number,
  fields: FieldChanges,
  ids: Readonly<Record<string, string>>,
): void {
  new Migration(from, to, version, fields, ids).run();
}

class Migration {
  readonly #from: State;
  readonly #to: State;
  readonly #old: Index;
  readonly #new: Index;
  readonly #oldMemory: StateMemory;
  readonly #newMemory: StateMemory;
  readonly #version: number;
  readonly #fields: FieldChanges;
  readonly #ids: Readonly<Record<string, string>>;
  /** The new names of tables. */
  readonly #tables: readonly string[];
  /** The moved rows of each table, by its new name. */
  readonly #moved = new Map<string, MovedRows>();

  constructor(
    from: State,
    to: State,
    version: number,
    fields: FieldChanges,
    ids: Readonly<Record<string, string>>,
  ) {
    this.#from = from;
    this.#to = to;
    this.#old = indexOf(from.layout.root);
    this.#new = indexOf(to.layout.root);
    this.#oldMemory = (from.world as unknown as Part).$memory;
    this.#newMemory = (to.world as unknown as Part).$memory;
    this.#tables = [...this.#new.parts].flatMap(([name, { kind }]) => (kind === "table" ? [name] : []));
    this.#version = version;
    this.#fields = fields;
    this.#ids = ids;
  }

  run(): void {
    this.#requireOptions();
    for (const [name, node] of this.#new.parts) if (node.kind === "table") this.#table(name, node);
    for (const [name, node] of this.#new.parts) this.#skippedBlends(name, node);
    for (const [name, leaf] of this.#new.leaves) this.#leaf(name, leaf);
    const [old, now] = [this.#from.layout.own, this.#to.layout.own];
    for (const name of ["tick", "random"] as const)
      columnOf(now[name], this.#newMemory).set(columnOf(old[name], this.#oldMemory));
  }

  #requireOptions(): void {
    const { leaves, parts } = this.#new;
    for (const [name, change] of Object.entries(this.#fields)) {
      if (change === undefined) continue;
      if (!leaves.has(name) && (name === "" || !parts.has(name)))
        unknownName(CALL, "field", name, namesOf(leaves));
      if (typeof change === "string") {
        if (!this.#hasOld(change) && !this.#hasOld(name))
          misuse(
            "unknown-name",
            CALL,
            `fields["${name}"] is "${change}", but version ${this.#version} has neither name`,
            `It has ${listOf(namesOf(this.#old.leaves))}`,
          );
      } else if (typeof change !== "function")
        badValue(`migrate: fields["${name}"]`, "an old name or a function", change, "(old) => 0");
      else if (!leaves.has(name))
        badValue(
          `migrate: fields["${name}"]`,
          "an old name, as it is not a single field",
          change,
          "one function for each field in it",
        );
    }
    for (const [name, table] of Object.entries(this.#ids)) {
      if (!leaves.get(name)?.isId)
        unknownName(
          CALL,
          "id field",
          name,
          [...leaves].flatMap(([other, { isId }]) => (isId ? [other] : [])),
        );
      if (parts.get(table)?.kind !== "table")
        badValue(`migrate: ids["${name}"]`, "the name of a table", table, '{ "turrets.target": "crates" }');
    }
  }

  #hasOld(name: string): boolean {
    return this.#old.leaves.has(name) || this.#old.parts.has(name);
  }

  /** Returns the old name of a field or a part: the same, unless it or a part that contains it was renamed. */
  #oldName(name: string): string {
    for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
      const change = Object.hasOwn(this.#fields, name.slice(0, end))
        ? this.#fields[name.slice(0, end)]
        : undefined;
      if (typeof change === "string" && this.#hasOld(change)) return change + name.slice(end);
    }
    return name;
  }

  #table(name: string, node: TableNode): void {
    const oldName = this.#oldName(name);
    const old = this.#old.parts.get(oldName);
    if (!old) return;
    if (old.kind !== "table")
      return fail(`"${name}" is a table, but "${oldName}" was a ${old.kind}`, "Give the table another name");
    const count = columnOf(old.allocation.count, this.#oldMemory)[0]!;
    if (count > node.owner.rows)
      misuse(
        "table-full",
        CALL,
        `table "${name}" has a capacity of ${node.owner.rows}, but ${count} rows were saved`,
        `Declare at least ${count}`,
      );
    this.#moved.set(name, moveRows(old, this.#oldMemory, node, this.#newMemory));
  }

  /** Copies the counts of `skipBlend`, so that an unchanged state keeps its hash. */
  #skippedBlends(name: string, { kind, owner }: GroupNode | TableNode | ListNode): void {
    // Groups in a row share the row's count.
    if (kind !== owner.kind) return;
    const old = this.#old.parts.get(this.#oldName(name));
    if (old?.kind !== kind || old.owner.kind !== kind) return;
    const skips = columnOf(owner.skips, this.#newMemory);
    const oldSkips = columnOf(old.owner.skips, this.#oldMemory);
    if (owner.rows === old.owner.rows) {
      skips.set(oldSkips);
      if (kind !== "group")
        columnOf(owner.totalSkips, this.#newMemory).set(columnOf(old.owner.totalSkips, this.#oldMemory));
      return;
    }
    const total = columnOf(owner.totalSkips, this.#newMemory);
    oldSkips.forEach((count, row) => {
      const newRow = kind === "table" ? this.#moved.get(name)!.rows[row]! : row < owner.rows ? row : -1;
      if (newRow < 0) return;
      skips[newRow] = count;
      total[0]! += count;
    });
  }

  #leaf(name: string, leaf: Leaf): void {
    const change = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    const column = columnOf(leaf, this.#newMemory);
    const oldHead = leaf.head === "" ? "" : this.#oldName(leaf.head);
    const write = (row: number, value: OldValue, label: string) =>
      this.#write(leaf, column, row, value, label);
    if (typeof change === "function") {
      for (const [oldRow, row] of this.#rowsOf(leaf)) {
        const value = change(this.#view(name, oldHead, oldRow));
        write(row, value, `fields["${name}"]`);
      }
      return;
    }
    const oldName = this.#oldName(name);
    const old = this.#old.leaves.get(oldName);
    if (!old) {
      if (this.#old.parts.has(oldName))
        fail(
          `"${name}" is a field, but "${oldName}" was a group, a table or a list`,
          `Convert it: ${example(name)}`,
        );
      return;
    }
    if (old.head !== oldHead || old.owner.kind !== leaf.owner.kind)
      this.#failByOwner(name, leaf, oldName, old);
    if (
      old.width !== leaf.width ||
      (old.length === undefined) !== (leaf.length === undefined) ||
      (old.trail === undefined) !== (leaf.trail === undefined)
    )
      fail(`"${name}" has another shape than "${oldName}" had`, `Convert it: ${example(name)}`);
    const oldColumn = columnOf(old, this.#oldMemory);
    for (const [oldRow, row] of this.#rowsOf(leaf))
      if (oldRow < old.rows)
        write(row, this.#fitted(valueOf(old, oldColumn, oldRow), old, leaf, name, oldRow), name);
    // The list became shorter.
    if (leaf.owner.kind === "list")
      for (let row = leaf.rows; row < old.rows; row++)
        this.#requireEmpty(old, oldColumn, row, leaf.rows, name);
  }

  /** Throws, as a column can only be copied from a column of the same table or list. */
  #failByOwner(name: string, leaf: Leaf, oldName: string, old: Leaf): never {
    const isRename = leaf.head !== old.head && leaf.owner.kind === old.owner.kind && leaf.head !== "";
    const fix = isRename
      ? `If "${leaf.head}" was called "${old.head}", rename it as well: { fields: { "${leaf.head}": "${old.head}" } }`
      : `Convert it: ${example(name)}`;
    const location = ({ head, owner }: Leaf) =>
      head === "" ? "outside tables and lists" : `a column of the ${owner.kind} "${head}"`;
    return fail(`"${name}" is ${location(leaf)}, but "${oldName}" was ${location(old)}`, fix);
  }

  /** Yields the rows that have values: the old and the new row number. */
  *#rowsOf({ head, owner }: Leaf): Iterable<[number, number]> {
    if (owner.kind !== "table") {
      for (let row = 0; row < owner.rows; row++) yield [row, row];
      return;
    }
    const moved = this.#moved.get(head);
    if (!moved) return;
    const ids = columnOf((this.#new.parts.get(head) as TableNode).allocation.id, this.#newMemory);
    for (let row = 0; row < moved.rows.length; row++) {
      const newRow = moved.rows[row]!;
      if (newRow >= 0 && ids[newRow]! > 0) yield [row, newRow];
    }
  }

  /** Resizes a list: pads it with zeros, or drops zeros at its end. A trail keeps its newest values. */
  #fitted(value: OldValue, old: Leaf, leaf: Leaf, name: string, oldRow: number): OldValue {
    if (leaf.trail && old.trail && leaf.trail.ticks !== old.trail.ticks)
      return resizedTrail(value, columnOf(old.trail.position, this.#oldMemory)[oldRow]!, old, leaf);
    if (!Array.isArray(value) || old.stride === leaf.stride) return value;
    const values = value as (number | boolean | string)[];
    if (values.slice(leaf.stride).some((one) => !isZero(old, one)))
      fail(
        `list "${name}" has ${leaf.length} elements, but more were saved that are not 0`,
        `Convert it: ${example(name)}`,
      );
    const zero = readable(leaf, 0);
    return Array.from({ length: leaf.stride }, (_, i) => (i < values.length ? values[i]! : zero));
  }

  #requireEmpty(old: Leaf, column: Column, row: number, rows: number, name: string): void {
    const value = valueOf(old, column, row);
    const values = (Array.isArray(value) ? value : [value]) as (number | boolean | string)[];
    if (values.some((one) => !isZero(old, one)))
      fail(
        `list "${name}" has ${rows} rows, but row ${row} was saved and is not 0`,
        `Keep the length, or convert it: ${example(name)}`,
      );
  }

  #write(leaf: Leaf, column: Column, row: number, value: OldValue, label: string): void {
    const { stride } = leaf;
    const isOne = leaf.width === 1 && leaf.length === undefined;
    if (isOne === Array.isArray(value) || (!isOne && (value as unknown[]).length !== stride))
      badValue(
        `migrate: ${label}`,
        isOne ? "a single value" : `an array of ${stride} values`,
        value,
        fixFor(label),
      );
    const values = isOne ? [value as number] : (value as number[]);
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i;
      column[at] = this.#mappedId(leaf, numberFor(leaf, values[i], label));
      if (!holds(leaf, column[at]!, values[i]!))
        badValue(`migrate: ${label}`, `a value that fits into ${leaf.type}`, values[i], fixFor(label));
    }
  }

  /** Returns the new id of a row, or 0 if the row was removed and its id may be reused. */
  #mappedId(leaf: Leaf, value: number): number {
    if (!leaf.isId || value === 0) return value;
    const name = leaf.head + leaf.tail;
    const tables = this.#tables;
    const table = this.#ids[name] ?? (tables.length === 1 ? tables[0] : undefined);
    if (table !== undefined) {
      const moved = this.#moved.get(table);
      return moved?.ids ? (moved.ids.get(value) ?? 0) : value;
    }
    const renumbered = tables.find((path) => this.#moved.get(path)?.isRenumbered);
    if (renumbered !== undefined)
      fail(
        `rows of "${renumbered}" get new ids, as its capacity changed`,
        `Tell which table's ids "${name}" holds: { ids: { "${name}": "${renumbered}" } }. Or grow the table to a multiple of its old capacity`,
      );
    const isSafe = tables.every((path) => this.#moved.get(path)?.ids === undefined);
    return isSafe || tables.some((path) => this.#isLive(path, value)) ? value : 0;
  }

  #isLive(table: string, id: number): boolean {
    const { owner, allocation } = this.#new.parts.get(table) as TableNode;
    return id > 0 && columnOf(allocation.id, this.#newMemory)[(id - 1) % owner.rows] === id;
  }

  #view(name: string, head: string, row: number): OldFields {
    const { leaves } = this.#old;
    const has = (other: string) => leaves.has(other);
    return {
      version: this.#version,
      has,
      get: <T extends OldValue>(other: string) => {
        const leaf = leaves.get(other);
        if (!leaf) return unknownName(CALL, `saved field in fields["${name}"]:`, other, namesOf(leaves));
        if (leaf.head !== "" && leaf.head !== head)
          return fail(
            `fields["${name}"] cannot read "${other}", a column of "${leaf.head}"`,
            "Read only columns of the same table or list, or fields outside tables and lists",
          );
        const column = columnOf(leaf, this.#oldMemory);
        const at = leaf.head === "" ? 0 : row;
        // The list became longer: the new rows are 0.
        return (
          at < leaf.rows ? valueOf(leaf, column, at) : valueOf(leaf, new Float64Array(leaf.stride), 0)
        ) as T;
      },
    };
  }
}

/** Returns the names of the declared fields, for errors. */
const namesOf = (leaves: Index["leaves"]): string[] =>
  [...leaves].flatMap(([name, { hidden }]) => (hidden ? [] : [name]));

function indexOf(root: GroupNode): Index {
  const index: Index = { leaves: new Map(), parts: new Map([["", root]]) };
  const walk = (children: Children, path: string) => {
    for (const [name, child] of Object.entries(children as Record<string, Node>)) {
      const at = path === "" ? name : `${path}.${name}`;
      if (child.kind === "leaf") index.leaves.set(at, child.leaf);
      else {
        index.parts.set(at, child);
        walk(child.children, at);
      }
    }
  };
  walk(root.children, "");
  return index;
}
