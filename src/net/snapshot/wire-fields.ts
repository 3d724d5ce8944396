// What a snapshot contains of a layout: sections of rows, and the columns of each. Rows are stored one after another, as words.
import type { Layout } from "../../state/index.js";
import type { Children, Leaf, Node, Owner, TableNode } from "../../state/leaves.js";
import { BOOLEAN, CHOICE, FLOAT64, INTEGER, QUAT } from "./kernel-memory.js";

/** How the values of a column become words. */
type WireForm = "integer" | "boolean" | "choice" | "quantized" | "quat" | "float32" | "float64";

export interface WireColumn {
  readonly leaf: Leaf;
  readonly form: WireForm;
  /** INTEGER, BOOLEAN, CHOICE, QUAT or FLOAT64. */
  readonly kind: number;
  /** The first of its words in a row. */
  readonly first: number;
  /** Values per row, and words per value. */
  readonly count: number;
  readonly width: number;
  /** Also sent for free rows of a table. */
  readonly isForFree: boolean;
  /** The count of skips and the like: a new row continues the values of the row that it replaces. */
  readonly isBookkeeping: boolean;
  readonly min: number;
  readonly max: number;
  /** The column of its velocity, which is coded first, and what a velocity of 1 adds per tick, in parts of 2^20. */
  readonly velocity?: { readonly column: WireColumn; readonly scale: number } | undefined;
}

/** Rows with the same columns: a table, a list, or a group as a single row. */
export interface WireSection {
  readonly path: string;
  readonly rows: number;
  /** Words per row. */
  readonly stride: number;
  /** The first word of the first row. */
  readonly offset: number;
  /** Set for a table. The first word of a row is then its id: see `wire-ids.ts`. */
  readonly table: TableNode | undefined;
  readonly columns: readonly WireColumn[];
}

export interface WireFields {
  readonly layout: Layout;
  readonly isLossless: boolean;
  /** Whether free rows, the random generator, trails and the like are sent, so that a client can go on from there. */
  readonly hasBookkeeping: boolean;
  readonly sections: readonly WireSection[];
  /** Words of an image. */
  readonly words: number;
}

/** A list outside tables gets its own section if it has at least this many values. */
const LONG_LIST = 16;

const RANGES: Partial<Record<Leaf["type"], readonly [number, number]>> = {
  u8: [0, 255],
  i8: [-128, 127],
  u16: [0, 65535],
  i16: [-32768, 32767],
};
const ALL = [-(2 ** 31), 2 ** 31 - 1] as const;

interface Group {
  readonly owner: Owner;
  readonly leaves: Leaf[];
  readonly table: TableNode | undefined;
}

/** `tickSeconds`: the duration of a tick, to predict positions by their velocities. 0 if it is unknown. */
export function wireFieldsOf(
  layout: Layout,
  isLossless: boolean,
  hasBookkeeping: boolean,
  tickSeconds = 0,
): WireFields {
  const groups: Group[] = [];
  collect(layout.root, groups);
  if (hasBookkeeping && layout.beside) collect(layout.beside, groups);
  const sections: WireSection[] = [];
  let words = 0;
  const add = (path: string, rows: number, table: TableNode | undefined, columns: WireColumn[]): void => {
    const stride = columns.reduce((sum, { count, width }) => sum + count * width, table ? 1 : 0);
    if (stride === 0) return;
    sections.push({ path, rows, stride, offset: words, table, columns });
    words += rows * stride;
  };
  if (hasBookkeeping) {
    const { random } = layout.own;
    add("random", 1, undefined, [columnOf(random, 0, isLossless, true)]);
  }
  for (const { owner, leaves, table } of groups) {
    const sent = leaves.filter((leaf) => isSent(leaf, hasBookkeeping));
    const isLong = (leaf: Leaf) => owner.kind === "group" && (leaf.length ?? 0) >= LONG_LIST;
    addTotals(add, owner, table, hasBookkeeping);
    const short = [...bookkeepingOf(owner, table, hasBookkeeping), ...sent.filter((leaf) => !isLong(leaf))];
    const columns = columnsOf(short, table, isLossless, hasBookkeeping);
    add(owner.path, owner.rows, table, withVelocities(columns, tickSeconds));
    for (const leaf of sent.filter(isLong))
      add(leaf.tail, leaf.length!, undefined, [columnOf(leaf, 0, isLossless, true, leaf.width)]);
  }
  return { layout, isLossless, hasBookkeeping, sections, words };
}

function collect(node: Node, groups: Group[], group?: Group): void {
  if (node.kind === "leaf") {
    group!.leaves.push(node.leaf);
    return;
  }
  if (node.owner.isSecret) return;
  let own = group;
  // Groups in a row have the owner of the row.
  if (own?.owner !== node.owner) {
    own = { owner: node.owner, leaves: [], table: node.kind === "table" ? node : undefined };
    groups.push(own);
  }
  for (const child of Object.values(node.children as Children)) collect(child, groups, own);
}

/** Views have no use for trails. */
function isSent({ isSecret, trail }: Leaf, hasBookkeeping: boolean): boolean {
  return !isSecret && (hasBookkeeping || !trail);
}

function bookkeepingOf(owner: Owner, table: TableNode | undefined, hasBookkeeping: boolean): Leaf[] {
  const { skips, blended } = owner;
  if (!hasBookkeeping) return blended.length > 0 ? [skips] : [];
  return table ? [skips, table.allocation.next] : [skips];
}

/** What a table or a list has only one of. Groups have no more than their skips. */
function addTotals(
  add: (path: string, rows: number, table: undefined, columns: WireColumn[]) => void,
  { path, kind, totalSkips }: Owner,
  table: TableNode | undefined,
  hasBookkeeping: boolean,
): void {
  if (!hasBookkeeping || kind === "group") return;
  const leaves = table ? [totalSkips, table.allocation.end, table.allocation.free] : [totalSkips];
  const columns = leaves.map((leaf, i) => columnOf(leaf, i, true, true));
  add(`${path} bookkeeping`, 1, undefined, columns);
}

function columnsOf(
  leaves: readonly Leaf[],
  table: TableNode | undefined,
  isLossless: boolean,
  hasBookkeeping: boolean,
): WireColumn[] {
  const columns: WireColumn[] = [];
  let first = table ? 1 : 0;
  for (const leaf of leaves) {
    const isBookkeeping = leaf.hidden && !leaf.trail;
    const column = columnOf(leaf, first, isLossless, isLossless || (isBookkeeping && hasBookkeeping));
    columns.push(column);
    first += column.count * column.width;
  }
  return columns;
}

/** Links positions to their velocities, if both are rounded: then few bits say where something went. */
function withVelocities(columns: readonly WireColumn[], tickSeconds: number): WireColumn[] {
  return columns.map((column) => {
    const { leaf, form, count } = column;
    const velocity = columns.find((other) => other.leaf === leaf.velocityLeaf);
    if (form !== "quantized" || velocity?.form !== "quantized" || velocity.count !== count) return column;
    const scale = Math.round((2 ** 20 * tickSeconds * velocity.leaf.quantum!) / leaf.quantum!);
    return scale >= 1 && scale < 2 ** 31 ? { ...column, velocity: { column: velocity, scale } } : column;
  });
}

function columnOf(
  leaf: Leaf,
  first: number,
  isLossless: boolean,
  isForFree: boolean,
  stride = leaf.stride,
): WireColumn {
  const form = formOf(leaf, isLossless);
  const width = form === "quat" ? 4 : form === "float64" ? 2 : 1;
  const [min, max] = form === "choice" ? [0, leaf.names!.length - 1] : (RANGES[leaf.type] ?? ALL);
  return {
    leaf,
    form,
    kind: kindOf(form),
    first,
    count: form === "quat" ? stride / 4 : stride,
    width,
    isForFree,
    isBookkeeping: leaf.hidden && !leaf.trail,
    min,
    max,
  };
}

function formOf({ form, type, quantum }: Leaf, isLossless: boolean): WireForm {
  // A lossless snapshot keeps every bit, even of bytes that are neither 0 nor 1.
  if (form === "boolean") return isLossless ? "integer" : "boolean";
  if (form === "choice") return "choice";
  if (type !== "f64" && type !== "f32") return "integer";
  if (quantum === undefined || isLossless) return type === "f64" ? "float64" : "float32";
  return form === "quat" ? "quat" : "quantized";
}

function kindOf(form: WireForm): number {
  if (form === "boolean") return BOOLEAN;
  if (form === "choice") return CHOICE;
  if (form === "quat") return QUAT;
  return form === "float64" ? FLOAT64 : INTEGER;
}

/** Returns all leaves of a part of a state, with the bookkeeping of its rows. */
export function leavesIn(node: Node): Leaf[] {
  if (node.kind === "leaf") return [node.leaf];
  const { skips, totalSkips } = node.owner;
  const allocation =
    node.kind === "table" ? Object.values(node.allocation as unknown as Record<string, Leaf>) : [];
  return [skips, totalSkips, ...allocation, ...Object.values(node.children as Children).flatMap(leavesIn)];
}
