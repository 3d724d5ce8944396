import type { Arrays } from "../state/arrays.js";
import type { Layout } from "../state/index.js";
import { addRotation, turnBy } from "./rotation-offset.js";
import { decayOf, type SmoothingRule, type SmoothingRules } from "./smoothing-options.js";

type Owner = Layout["owners"][number];
type Leaf = Owner["blended"][number];

const TURN = 2 * Math.PI;
/** An error ends when it is this part of a small one. Nobody sees it. */
const END = 1e-4;

/** The errors of one field, for all rows. */
interface FieldOffsets {
  readonly kind: keyof SmoothingRules;
  readonly rule: SmoothingRule;
  readonly isDouble: boolean;
  /** Index of the field in the numbers of a state. */
  readonly first: number;
  /** Numbers per row, and numbers that form one value. */
  readonly stride: number;
  readonly width: number;
  /** `stride` per row. A rotation is a vector: see `rotation-offset.ts`. */
  readonly offsets: Float64Array;
}

/**
 * The errors of the rows of a table or list, or of a group, which has one row. Only rows with errors cost time, except in
 * `correct`.
 */
export class RowOffsets {
  /** Rows that have errors. */
  count = 0;
  private readonly fields: readonly FieldOffsets[];
  private readonly rows: number;
  /** Indices into the numbers of a state. -1 if there are no ids. */
  private readonly firstId: number;
  private readonly firstSkip: number;
  /** The row that the errors belong to, and how often its blending was skipped until then. */
  private readonly ids: Float64Array;
  private readonly skips: Uint32Array;
  /** The first `count` are the rows with errors. */
  private readonly active: Uint32Array;
  private readonly isActive: Uint8Array;

  constructor({ rows, ids, skips, blended }: Owner, rules: SmoothingRules) {
    this.rows = rows;
    this.firstId = ids ? ids.offset / 8 : -1;
    this.firstSkip = skips.offset / 4;
    this.ids = new Float64Array(rows);
    this.skips = new Uint32Array(rows);
    this.active = new Uint32Array(rows);
    this.isActive = new Uint8Array(rows);
    this.fields = blended.map((leaf) => fieldOf(leaf, rules));
  }

  /**
   * Adds the difference between two states to the errors. Returns the size of the largest error of a position that was added,
   * Infinity for a row that only one of them has.
   */
  correct(before: Arrays, after: Arrays): number {
    const { firstId, firstSkip, ids, skips } = this;
    let largest = 0;
    for (let row = 0; row < this.rows; row++) {
      const id = firstId < 0 ? 1 : after.f64[firstId + row]!;
      if (firstId >= 0 && before.f64[firstId + row] !== id) {
        // A row that came or went.
        if (id > 0 || before.f64[firstId + row]! > 0) largest = Infinity;
        this.drop(row);
        continue;
      }
      if (!(id > 0)) continue;
      const skip = after.u32[firstSkip + row]!;
      // The row was moved on purpose in one of them, or in both since the last correction.
      if (before.u32[firstSkip + row] !== skip) {
        this.drop(row);
        continue;
      }
      if (this.isActive[row] === 1 && (ids[row] !== id || skips[row] !== skip)) this.drop(row);
      const size = this.correctRow(row, before, after);
      if (size > largest) largest = size;
      ids[row] = id;
      skips[row] = skip;
    }
    return largest;
  }

  /** Shrinks all errors. `ticks` is at most 1. */
  shrink(ticks: number): void {
    // Backwards, as rows without errors leave the list.
    for (let i = this.count - 1; i >= 0; i--) {
      const row = this.active[i]!;
      let isLeft = false;
      for (let k = 0; k < this.fields.length; k++)
        if (shrinkField(this.fields[k]!, row, ticks)) isLeft = true;
      if (!isLeft) this.remove(i);
    }
  }

  /** Adds the errors to a view. Errors of rows that were replaced or teleported end. */
  apply(view: Arrays): void {
    const { firstId, firstSkip, ids, skips, active } = this;
    for (let i = this.count - 1; i >= 0; i--) {
      const row = active[i]!;
      const isSame = firstId < 0 || view.f64[firstId + row] === ids[row];
      if (!isSame || view.u32[firstSkip + row] !== skips[row]) {
        this.zero(row);
        this.remove(i);
        continue;
      }
      for (let k = 0; k < this.fields.length; k++) applyField(this.fields[k]!, row, view);
    }
  }

  clear(): void {
    for (let i = this.count - 1; i >= 0; i--) {
      this.zero(this.active[i]!);
      this.remove(i);
    }
  }

  private correctRow(row: number, before: Arrays, after: Arrays): number {
    const { fields } = this;
    let largest = 0;
    let isLeft = false;
    let isTeleport = false;
    for (let k = 0; k < fields.length; k++) {
      const field = fields[k]!;
      const size = correctField(field, row, before, after);
      if (field.kind === "positions" && size > largest) largest = size;
      // NaN counts as changed.
      if (size === 0 && this.isActive[row] === 0) continue;
      const left = sizeLeft(field, row);
      if (left > 0) isLeft = true;
      // Also for NaN.
      if (!(left <= field.rule.teleport)) isTeleport = true;
    }
    if (isTeleport) this.drop(row);
    else if (isLeft && this.isActive[row] === 0) {
      this.isActive[row] = 1;
      this.active[this.count++] = row;
    }
    return largest;
  }

  /** Ends the errors of a row. */
  private drop(row: number): void {
    this.zero(row);
    if (this.isActive[row] === 0) return;
    for (let i = 0; i < this.count; i++) if (this.active[i] === row) return this.remove(i);
  }

  private zero(row: number): void {
    for (let k = 0; k < this.fields.length; k++) {
      const { offsets, stride } = this.fields[k]!;
      offsets.fill(0, row * stride, (row + 1) * stride);
    }
  }

  private remove(index: number): void {
    this.isActive[this.active[index]!] = 0;
    this.active[index] = this.active[--this.count]!;
  }
}

function fieldOf(
  { type, offset, stride, width, rows, blendMode }: Leaf,
  rules: SmoothingRules,
): FieldOffsets {
  const isQuat = blendMode === "slerp" || blendMode === "nlerp";
  const kind = isQuat ? "rotations" : blendMode === "angle" ? "angles" : "positions";
  const isDouble = type === "f64";
  const offsets = new Float64Array(rows * stride);
  return { kind, rule: rules[kind], isDouble, first: offset / (isDouble ? 8 : 4), stride, width, offsets };
}

/** Adds the difference of a field to its errors. Returns the size of the largest one, 0 if there is none. */
function correctField(field: FieldOffsets, row: number, before: Arrays, after: Arrays): number {
  const { kind, isDouble, first, stride, width, offsets } = field;
  const old = isDouble ? before.f64 : before.f32;
  const now = isDouble ? after.f64 : after.f32;
  const from = row * stride;
  let largest = 0;
  for (let i = from; i < from + stride; i += width) {
    let sum = 0;
    for (let k = i; k < i + width; k++) {
      const difference = old[first + k]! - now[first + k]!;
      sum += difference * difference;
    }
    if (sum === 0) continue;
    if (!(sum <= largest)) largest = sum;
    if (kind === "rotations") {
      if (!addRotation(offsets, i, old, first + i, now, first + i)) offsets.fill(0, i, i + width);
      continue;
    }
    for (let k = i; k < i + width; k++) {
      const error = offsets[k]! + (old[first + k]! - now[first + k]!);
      offsets[k] = kind === "angles" ? shortWay(error) : error;
    }
  }
  return Math.sqrt(largest);
}

const shortWay = (angle: number): number => angle - TURN * Math.floor(angle / TURN + 0.5);

/** Returns the size of the largest error of a field. NaN if one is not finite. */
function sizeLeft({ stride, width, offsets }: FieldOffsets, row: number): number {
  const from = row * stride;
  let largest = 0;
  for (let i = from; i < from + stride; i += width) {
    const size = sizeAt(offsets, i, width);
    if (!(size <= largest)) largest = size;
    if (!(size < Infinity)) return NaN;
  }
  return largest;
}

function sizeAt(offsets: Float64Array, from: number, width: number): number {
  if (width === 1) return Math.abs(offsets[from]!);
  let sum = 0;
  for (let k = from; k < from + width; k++) sum += offsets[k]! * offsets[k]!;
  return Math.sqrt(sum);
}

/** Returns whether an error is left. */
function shrinkField({ rule, stride, width, offsets }: FieldOffsets, row: number, ticks: number): boolean {
  const from = row * stride;
  let isLeft = false;
  for (let i = from; i < from + stride; i += width) {
    const size = sizeAt(offsets, i, width);
    if (size === 0) continue;
    // Straight within a tick: whatever the frame rate, no frame moves more than its share of (1 - decay).
    const factor = 1 - (1 - decayOf(rule, size)) * ticks;
    if (size * factor < END * rule.small) {
      offsets.fill(0, i, i + width);
      continue;
    }
    for (let k = i; k < i + width; k++) offsets[k]! *= factor;
    isLeft = true;
  }
  return isLeft;
}

function applyField(field: FieldOffsets, row: number, view: Arrays): void {
  const { kind, isDouble, first, stride, width, offsets } = field;
  const numbers = isDouble ? view.f64 : view.f32;
  const from = row * stride;
  if (kind === "rotations")
    for (let i = from; i < from + stride; i += width) {
      if (sizeAt(offsets, i, width) > 0) turnBy(numbers, first + i, offsets, i);
    }
  else for (let i = from; i < from + stride; i++) numbers[first + i]! += offsets[i]!;
}
