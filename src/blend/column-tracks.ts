import { badValue, unknownName } from "../errors/index.js";
import type { BlendFactor, StepLength } from "./batch.js";
import { copy, isColumn, isFloat, showWrites, type Column } from "./column.js";
import {
  enterMotion,
  forgetMotion,
  leaveMotion,
  newTrack,
  resizeTrack,
  type ColumnTrack,
} from "./column-track.js";
import type { Contacts } from "./contacts.js";
import type { AnyFields } from "./kinds.js";
import type { Smoother } from "./listen.js";
import type { Extrapolation } from "./motion.js";
import { markView, removeTracker, type FieldNumbers, type Tracker, type TrackerOwner } from "./trackers.js";

export type Columns = Record<string, Column>;

/** The states of columns, by row. */
export class ColumnTracks implements Smoother, Tracker, TrackerOwner {
  readonly owner = this;
  readonly numbers = 0;
  readonly view: Columns = {};
  readonly fields: readonly ColumnTrack[];
  readonly ahead: number;
  contacts: Contacts | undefined;
  isInStep = false;
  readonly #columns: Columns;
  readonly #count: (() => number) | undefined;
  /** 1 for each row whose earlier states are discarded. */
  #teleported = new Uint8Array(0);
  /** Number of rows when the step began, and when it ended. */
  #entered = 0;
  #left = 0;

  constructor(
    columns: Columns,
    readonly kinds: AnyFields,
    count: (() => number) | undefined,
    ahead: Extrapolation | undefined,
  ) {
    this.#columns = columns;
    this.#count = count;
    this.ahead = ahead?.steps ?? 0;
    this.fields = Object.entries(kinds).map(([name, kind]) => newTrack(name, kind, ahead));
    markView(this.view);
  }

  enter(step: StepLength): void {
    const rows = this.#rows();
    for (const track of this.fields) {
      const { kind, previous, next, motion } = track;
      if (motion)
        enterMotion(track, this.#velocity(track), rows, Math.min(rows, this.#left), this.#teleported, step);
      else copy(previous, next, 0, rows * kind.width);
    }
    this.#entered = rows;
    // Until the step ends, there is no current state.
    this.#left = 0;
    this.isInStep = true;
    this.contacts?.clear();
    this.#teleported.fill(0);
  }

  leave(step: StepLength): void {
    const rows = this.#rows();
    for (const { kind, current, next } of this.fields) copy(current, next, 0, rows * kind.width);
    for (const { kind, previous, current } of this.fields)
      if (kind.teleports) this.#markTeleports(previous, current, rows);
    for (const track of this.fields) if (track.motion) leaveMotion(track, this.#velocity(track), rows, step);
    this.contacts?.leave();
    this.#left = rows;
    this.isInStep = false;
    this.#discardPrevious(this.#entered);
  }

  draw(factor: BlendFactor): void {
    const rows = this.#rows();
    const known = Math.min(rows, this.#left);
    for (const { name, kind, current } of this.fields)
      if (kind.teleports) this.#markTeleports(current, this.#columns[name]!, known);
    // Held values change where the picture reaches their state.
    const isHeld = factor.alpha < 1 - this.ahead;
    for (const track of this.fields) {
      const { kind, current, next, motion, stride } = track;
      const { width } = kind;
      const shown = track.shown as Float64Array;
      const numbers = known * width;
      if (motion) motion.blend(shown, track, 0, numbers, 0, stride, factor);
      else if (kind.held) copy(shown, isHeld ? track.previous : current, 0, numbers);
      else kind.blend(shown, track.previous, current, 0, numbers, factor);
      showWrites(shown, current, next, known, width, this.#teleported);
      copy(shown, next, known * width, rows * width);
    }
    this.contacts?.draw(factor);
  }

  forget(): void {
    this.#entered = this.#left = 0;
    this.isInStep = false;
  }

  end(): void {
    removeTracker(this.#columns, this);
  }

  get rows(): number {
    return this.#teleported.length;
  }

  teleport(row: number | undefined): void {
    if (row === undefined) this.forget();
    else this.#teleported[row] = 1;
  }

  statesOf(track: ColumnTrack): ColumnTrack {
    return track;
  }

  isEntered(row: number | undefined): boolean {
    return this.isInStep && (row === undefined || (row < this.#entered && !this.#teleported[row]));
  }

  range(row: number | undefined): readonly [number, number] {
    return row === undefined ? [0, this.#rows()] : [row, row + 1];
  }

  isWritten({ current, next, kind: { width } }: ColumnTrack, part: number): boolean {
    const row = Math.floor(part / width);
    if (row >= this.#left || this.#teleported[row]) return true;
    for (let i = row * width; i < (row + 1) * width; i++) if (next[i] !== current[i]) return true;
    return false;
  }

  read({ next }: ColumnTrack, part: number): number {
    return next[part]!;
  }

  show({ shown }: ColumnTrack, part: number, value: number): void {
    shown[part] = value;
  }

  move(by: FieldNumbers, row: number | undefined): void {
    const [first, end] = this.range(row);
    for (const name of by.keys())
      if (!this.kinds[name]) unknownName("shift", "column", name, Object.keys(this.kinds));
    for (const { name, kind } of this.fields) {
      const amounts = by.get(name);
      const column = this.#columns[name]!;
      for (let i = first * kind.width; amounts && i < end * kind.width; i++)
        column[i]! += amounts[i % kind.width] ?? 0;
    }
  }

  /** Returns the current number of rows, and makes room for them. */
  #rows(): number {
    let room = Infinity;
    for (const track of this.fields) {
      const column = this.#columns[track.name]!;
      if (column !== track.next) this.#fit(track, column);
      room = Math.min(room, Math.floor(column.length / track.kind.width));
    }
    if (room === Infinity) room = 0;
    if (this.#teleported.length < room) {
      const cuts = new Uint8Array(room);
      cuts.set(this.#teleported);
      this.#teleported = cuts;
    }
    const count = this.#count ? this.#count() : room;
    if (!(Number.isSafeInteger(count) && count >= 0 && count <= room))
      badValue("smoothColumns: count", `a whole number of rows, at most ${room}`, count, "() => alive");
    return count;
  }

  /** Adapts to a column that was replaced, usually by a longer one. */
  #fit(track: ColumnTrack, column: Column): void {
    const { name, kind, shown } = track;
    if (!(isFloat(column) || (kind.held && isColumn(column))))
      badValue(
        `smoothColumns: ${name}`,
        kind.held ? "a typed array" : "a Float64Array or a Float32Array",
        column,
        "new Float64Array(100)",
      );
    track.next = column as Float64Array;
    if (this.view[name] && shown.constructor === column.constructor && shown.length === column.length) return;
    resizeTrack(track, column);
    this.view[name] = track.shown;
    this.#velocity(track);
  }

  /** Returns the column of a track's velocity, if it has one. */
  #velocity({ name, kind, next }: ColumnTrack): Column | undefined {
    const { velocity } = kind;
    if (velocity === undefined) return undefined;
    const column = this.#columns[velocity];
    if (!isFloat(column) || column.length < next.length)
      badValue(
        `smoothColumns: velocity ${velocity} of ${name}`,
        `a Float64Array or a Float32Array of at least ${next.length} numbers`,
        column,
        `new Float64Array(${next.length})`,
      );
    return column;
  }

  #markTeleports(before: Column, after: Column, rows: number): void {
    for (let row = 0; row < rows; row++) if (before[row] !== after[row]) this.#teleported[row] = 1;
  }

  /** Makes the previous state of teleported rows, and of rows from `first` on, equal to the current one. */
  #discardPrevious(first: number): void {
    const rows = this.#left;
    for (const track of this.fields) {
      const { kind, previous, current, motion } = track;
      const { width } = kind;
      for (let row = 0; row < Math.min(first, rows); row++)
        if (this.#teleported[row]) {
          copy(previous, current, row * width, (row + 1) * width);
          if (motion) forgetMotion(track, row, row + 1);
        }
      copy(previous, current, first * width, rows * width);
      if (motion) forgetMotion(track, first, rows);
    }
    this.#teleported.fill(0);
  }
}
