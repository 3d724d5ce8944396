import type { Arrays } from "../../state/arrays.js";
import { ARRAYS } from "../../state/fields.js";
import type { Layout } from "../../state/index.js";

type Table = Layout["tables"][number];
type Leaf = Layout["leaves"][number];

/** Pairs that are compared at most. With more, rows are paired with those that have their id. */
const MAX_PAIRS = 4096;
/** Shared by all tables, as it is only used within a call. */
const costs = new Float64Array(MAX_PAIRS);

/** Rows that were predicted, as the picture before a correction shows them. */
export interface PredictedRows {
  readonly count: number;
  /** Their rows in that picture, and the row and id that they had in the state. */
  readonly viewRows: Uint32Array;
  readonly realRows: Uint32Array;
  readonly realIds: Float64Array;
}

/** Numbers of one column. */
interface Column {
  readonly type: Leaf["type"];
  /** Index among the numbers of its type. */
  readonly first: number;
  /** Numbers per row. */
  readonly stride: number;
}

/**
 * Finds out which row of a corrected picture is the one that was predicted.
 *
 * Choices, booleans and 8-bit numbers say what a row is (its kind, its owner), so they must be equal. Then those rows belong
 * together that have the most wider integers and ids in common, as counters (an age) tell rows of one kind apart, and then
 * those that are closest. Rows that are further apart than a teleport are different ones.
 */
export class RowPairs {
  readonly #firstId: number;
  readonly #kinds: readonly Column[];
  readonly #counters: readonly Column[];
  readonly #positions: readonly Column[];
  readonly #teleport: number;
  /** For each predicted row, the row that it has in the corrected state; -1 if there is none. */
  readonly found: Int32Array;
  /** For each row of the corrected state, 1 if it belongs to a predicted one. */
  readonly isFound: Uint8Array;
  /** Predicted rows, by index, and new rows that have no counterpart yet. */
  readonly #left: Uint32Array;
  readonly #right: Uint32Array;

  constructor({ owner, allocation }: Table, leaves: Layout["leaves"], teleport: number) {
    const { rows } = owner;
    const own = leaves.filter((leaf) => leaf.owner === owner && !leaf.hidden && !leaf.trail);
    const sent = own.filter(({ isSecret }) => !isSecret);
    const isKind = ({ type }: Leaf) => type === "u8" || type === "i8";
    const isFloat = ({ type, isId }: Leaf) => (type === "f64" || type === "f32") && !isId;
    this.#firstId = allocation.id.offset / 8;
    this.#kinds = sent.filter(isKind).map(columnOf);
    this.#counters = sent.filter((leaf) => !isKind(leaf) && !isFloat(leaf)).map(columnOf);
    this.#positions = own
      .filter(({ blendMode }) => blendMode === "lerp" || blendMode === "hermite")
      .map(columnOf);
    this.#teleport = teleport;
    this.found = new Int32Array(rows);
    this.isFound = new Uint8Array(rows);
    this.#left = new Uint32Array(rows);
    this.#right = new Uint32Array(rows);
  }

  /** Pairs predicted rows of the picture before with `newCount` rows of the one after. */
  find(
    before: Arrays,
    after: Arrays,
    predicted: PredictedRows,
    newRows: Uint32Array,
    newCount: number,
  ): void {
    const { found, isFound } = this;
    const left = this.#left;
    const right = this.#right;
    isFound.fill(0);
    // Most predictions are right.
    let leftCount = 0;
    for (let i = 0; i < predicted.count; i++) {
      found[i] = -1;
      if (!this.#pairSame(i, 0, before, after, predicted)) left[leftCount++] = i;
    }
    let rightCount = 0;
    for (let i = 0; i < newCount; i++) if (isFound[newRows[i]!] === 0) right[rightCount++] = newRows[i]!;
    if (leftCount * rightCount > MAX_PAIRS) {
      for (let i = 0; i < leftCount; i++) this.#pairSame(left[i]!, Infinity, before, after, predicted);
      return;
    }
    for (let i = 0; i < leftCount; i++)
      for (let k = 0; k < rightCount; k++)
        costs[i * rightCount + k] = this.#costOf(left[i]!, right[k]!, before, after, predicted);
    while (this.#pairBest(leftCount, rightCount));
  }

  /** Pairs a predicted row with the one that has its row and id, if the cost is at most `most`. */
  #pairSame(index: number, most: number, before: Arrays, after: Arrays, predicted: PredictedRows): boolean {
    const row = predicted.realRows[index]!;
    if (after.f64[this.#firstId + row] !== predicted.realIds[index]) return false;
    const cost = this.#costOf(index, row, before, after, predicted);
    if (!(cost <= most && cost < Infinity)) return false;
    this.found[index] = row;
    this.isFound[row] = 1;
    return true;
  }

  /** Pairs the two rows with the smallest cost. Returns false if none is left. */
  #pairBest(leftCount: number, rightCount: number): boolean {
    const end = leftCount * rightCount;
    let best = -1;
    let least = Infinity;
    for (let at = 0; at < end; at++) {
      if (!(costs[at]! < least)) continue;
      least = costs[at]!;
      best = at;
    }
    if (best < 0) return false;
    const column = best % rightCount;
    const start = best - column;
    const row = this.#right[column]!;
    this.found[this.#left[start / rightCount]!] = row;
    this.isFound[row] = 1;
    costs.fill(Infinity, start, start + rightCount);
    for (let at = column; at < end; at += rightCount) costs[at] = Infinity;
    return true;
  }

  /** Returns how unlikely it is that two rows are the same: 0 if nothing speaks against it, Infinity if they are not. */
  #costOf(index: number, row: number, before: Arrays, after: Arrays, predicted: PredictedRows): number {
    const shown = predicted.viewRows[index]!;
    if (countUnequal(this.#kinds, shown, row, before, after) > 0) return Infinity;
    let sum = 0;
    for (let i = 0; i < this.#positions.length; i++) {
      const { type, first, stride } = this.#positions[i]!;
      const old = type === "f64" ? before.f64 : before.f32;
      const now = type === "f64" ? after.f64 : after.f32;
      for (let k = 0; k < stride; k++) {
        const difference = old[first + shown * stride + k]! - now[first + row * stride + k]!;
        sum += difference * difference;
      }
    }
    const distance = Math.sqrt(sum);
    // Also for NaN and Infinity.
    if (!(distance <= this.#teleport && distance < Infinity)) return Infinity;
    const isSame =
      predicted.realRows[index] === row && predicted.realIds[index] === after.f64[this.#firstId + row];
    // One counter outweighs all distances. Between equals, the id decides.
    const unequal = countUnequal(this.#counters, shown, row, before, after);
    return unequal + (distance / (1 + distance)) * (1 - 1e-6) + (isSame ? 0 : 1e-9);
  }
}

function columnOf({ type, offset, stride }: Leaf): Column {
  return { type, first: offset / ARRAYS[type].BYTES_PER_ELEMENT, stride };
}

function countUnequal(
  columns: readonly Column[],
  rowBefore: number,
  rowAfter: number,
  before: Arrays,
  after: Arrays,
): number {
  let count = 0;
  for (let i = 0; i < columns.length; i++) {
    const { type, first, stride } = columns[i]!;
    const old = before[type];
    const now = after[type];
    const from = first + rowBefore * stride;
    const to = first + rowAfter * stride;
    let k = 0;
    while (k < stride && old[from + k] === now[to + k]) k++;
    if (k < stride) count++;
  }
  return count;
}
