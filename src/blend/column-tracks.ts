import { badValue, unknownName } from "../errors/index.js";
import { markView, removeTracker, type Placement, type Tracker, type Shift } from "./trackers.js";
import type { BlendFactor, StepLength } from "./batch.js";
import { copy, isColumn, isFloat, showWrites, type Column } from "./column.js";
import { ColumnContacts } from "./column-contacts.js";
import {
  enterMotion,
  forgetMotion,
  leaveMotion,
  newTrack,
  resizeTrack,
  shiftMotion,
  type ColumnTrack,
} from "./column-track.js";
import { Curve } from "./curve.js";
import type { Smoother } from "./listen.js";
import { checkContact, checkShift } from "./move.js";
import type { AnyFields } from "./shape.js";

export type Columns = Record<string, Column>;

/** The states of columns, by row. */
export class ColumnTracks implements Smoother, Tracker {
  readonly owner = this;
  readonly view: Columns = {};
  readonly #columns: Columns;
  readonly #tracks: ColumnTrack[];
  readonly #count: (() => number) | undefined;
  /** 1 for each row whose earlier states are discarded. */
  #teleported = new Uint8Array(0);
  /** Number of rows when the step began, and when it ended. */
  #entered = 0;
  #left = 0;
  #isInStep = false;
  /** Moments of the last step that the picture goes through. */
  readonly #contacts: ColumnContacts;
  /** Held values change at this alpha, where the picture reaches their state. */
  readonly #heldUntil: number;

  constructor(columns: Columns, fields: AnyFields, count: (() => number) | undefined, ahead = 0) {
    this.#columns = columns;
    this.#count = count;
    this.#heldUntil = 1 - ahead;
    this.#contacts = new ColumnContacts(ahead);
    this.#tracks = Object.entries(fields).map(([name, kind]) => newTrack(name, kind, ahead));
    markView(this.view);
  }

  enter(step: StepLength): void {
    const rows = this.#rows();
    for (const track of this.#tracks) {
      const { kind, previous, next, motion } = track;
      if (motion)
        enterMotion(track, this.#velocity(track), rows, Math.min(rows, this.#left), this.#teleported, step);
      else copy(previous, next, 0, rows * kind.width);
    }
    this.#entered = rows;
    // Until the step ends, there is no current state.
    this.#left = 0;
    this.#isInStep = true;
    this.#contacts.clear();
    this.#teleported.fill(0);
  }

  leave(step: StepLength): void {
    const rows = this.#rows();
    for (const { kind, current, next } of this.#tracks) copy(current, next, 0, rows * kind.width);
    for (const { kind, previous, current } of this.#tracks)
      if (kind.teleports) this.#markTeleports(previous, current, rows);
    for (const track of this.#tracks) if (track.motion) leaveMotion(track, this.#velocity(track), rows, step);
    this.#contacts.leave();
    this.#left = rows;
    this.#isInStep = false;
    this.#discardPrevious(this.#entered);
  }

  draw(factor: BlendFactor): void {
    const rows = this.#rows();
    const known = Math.min(rows, this.#left);
    for (const { name, kind, current } of this.#tracks)
      if (kind.teleports) this.#markTeleports(current, this.#columns[name]!, known);
    const isHeld = factor.t < this.#heldUntil;
    for (const track of this.#tracks) {
      const { kind, current, next, motion, stride } = track;
      const { width } = kind;
      const shown = track.shown as Float64Array;
      const numbers = known * width;
      if (motion instanceof Curve) motion.blend(shown, track, 0, numbers, 0, stride, factor);
      else if (motion) kind.blend(shown, track.before, track.after, 0, numbers, factor);
      else if (kind.held) copy(shown, isHeld ? track.previous : current, 0, numbers);
      else kind.blend(shown, track.previous, current, 0, numbers, factor);
      if (this.#contacts.count > 0) this.#contacts.draw(track, known, factor);
      showWrites(shown, current, next, known, width, this.#teleported);
      copy(shown, next, known * width, rows * width);
    }
  }

  forget(): void {
    this.#entered = this.#left = 0;
    this.#isInStep = false;
  }

  end(): void {
    removeTracker(this.#columns, this);
  }

  teleport(row: number | undefined): void {
    this.#checkRow("teleport", row);
    if (row === undefined) this.forget();
    else this.#teleported[row] = 1;
  }

  shift(by: Shift, row: number | undefined, move: () => void): void {
    this.#checkRow("shift", row);
    const isInStep = this.#left === 0;
    const [first, end] = row === undefined ? [0, this.#rows()] : [row, row + 1];
    const tracks = this.#tracks.filter(({ name }) => by.has(name));
    checkShift(by, Object.fromEntries(tracks.map(({ name, kind }) => [name, kind])));
    for (const name of by.keys())
      if (!tracks.some((track) => track.name === name))
        unknownName(
          "shift",
          "column",
          name,
          this.#tracks.map((track) => track.name),
        );
    // Numbers that were written after the step are shown as they are, so their states stay unchanged.
    const unwritten = tracks.map(({ name, kind: { width }, current }) => {
      const source = this.#columns[name]!;
      return Array.from(
        { length: (end - first) * width },
        (_, i) => isInStep || source[first * width + i] === current[first * width + i],
      );
    });
    move();
    for (const [s, track] of tracks.entries())
      for (const [i, isUnwritten] of unwritten[s]!.entries())
        if (isUnwritten) {
          const { name, kind, previous, current } = track;
          const at = first * kind.width + i;
          const amount = by.get(name)![i % kind.width] ?? 0;
          previous[at]! += amount;
          current[at] = this.#columns[name]![at]!;
          shiftMotion(track, at, amount);
          this.#contacts.shift(track, 0, at, amount, previous[at]!);
        }
  }

  contact(fraction: number, at: Placement, row: number | undefined): boolean {
    if (row === undefined)
      badValue(
        "contact: row",
        "the number of a row of the columns",
        row,
        "contact(columns, 0.5, { y: 0 }, row)",
      );
    this.#checkRow("contact", row);
    checkContact(at, Object.fromEntries(this.#tracks.map(({ name, kind }) => [name, kind])));
    if (this.#isInStep && row < this.#entered && !this.#teleported[row])
      for (const track of this.#tracks) {
        const numbers = at.get(track.name);
        if (numbers) this.#contacts.note(track, row, fraction, numbers);
      }
    return this.#isInStep;
  }

  move(by: Shift, row: number | undefined): void {
    const [first, end] = row === undefined ? [0, this.#rows()] : [row, row + 1];
    for (const { name, kind } of this.#tracks) {
      const amounts = by.get(name);
      const column = this.#columns[name]!;
      for (let i = first * kind.width; amounts && i < end * kind.width; i++)
        column[i]! += amounts[i % kind.width] ?? 0;
    }
  }

  #checkRow(call: string, row: number | undefined): void {
    const rows = this.#teleported.length;
    if (row !== undefined && row >= rows)
      badValue(`${call}: row`, `below ${rows}, the number of rows`, row, 0);
  }

  /** Returns the current number of rows, and makes room for them. */
  #rows(): number {
    let room = Infinity;
    for (const track of this.#tracks) {
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
    const velocity = kind.curve?.velocity;
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
    for (const track of this.#tracks) {
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
