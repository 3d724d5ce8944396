import { badValue, unknownName } from "../errors/index.js";
import { markView, removeTracker, type Tracker, type Shift } from "./trackers.js";
import type { BlendFactor } from "./batch.js";
import { copy, isColumn, isFloat, resized, showWrites, type Column } from "./column.js";
import type { Smoother } from "./listen.js";
import { checkShift } from "./move.js";
import type { AnyFields, AnyKind } from "./shape.js";

export type Columns = Record<string, Column>;

/** The states of one column. */
interface ColumnTrack {
  readonly name: string;
  readonly kind: AnyKind;
  /** The user's column, as last seen. */
  source: Column;
  previous: Column;
  current: Column;
  shown: Column;
}

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

  constructor(columns: Columns, fields: AnyFields, count: (() => number) | undefined) {
    this.#columns = columns;
    this.#count = count;
    const none = new Float64Array(0);
    this.#tracks = Object.entries(fields).map(([name, kind]) => ({
      name,
      kind,
      source: none,
      previous: none,
      current: none,
      shown: none,
    }));
    markView(this.view);
  }

  enter(): void {
    const rows = this.#rows();
    for (const { name, kind, previous } of this.#tracks)
      copy(previous, this.#columns[name]!, 0, rows * kind.width);
    this.#entered = rows;
    // Until the step ends, there is no current state.
    this.#left = 0;
    this.#teleported.fill(0);
  }

  leave(): void {
    const rows = this.#rows();
    for (const { name, kind, current } of this.#tracks)
      copy(current, this.#columns[name]!, 0, rows * kind.width);
    for (const { kind, previous, current } of this.#tracks)
      if (kind.teleports) this.#markTeleports(previous, current, rows);
    this.#left = rows;
    this.#discardPrevious(this.#entered);
  }

  draw(factor: BlendFactor): void {
    const rows = this.#rows();
    const known = Math.min(rows, this.#left);
    for (const { name, kind, current } of this.#tracks)
      if (kind.teleports) this.#markTeleports(current, this.#columns[name]!, known);
    for (const { name, kind, previous, current, shown } of this.#tracks) {
      const { width } = kind;
      const source = this.#columns[name]!;
      kind.blend(
        shown as Float64Array,
        previous as Float64Array,
        current as Float64Array,
        0,
        known * width,
        factor,
      );
      showWrites(shown, current, source, known, width, this.#teleported);
      copy(shown, source, known * width, rows * width);
    }
  }

  forget(): void {
    this.#entered = this.#left = 0;
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
    for (const [s, { name, kind, previous, current }] of tracks.entries())
      for (const [i, isUnwritten] of unwritten[s]!.entries())
        if (isUnwritten) {
          const at = first * kind.width + i;
          previous[at]! += by.get(name)![i % kind.width] ?? 0;
          current[at] = this.#columns[name]![at]!;
        }
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
      if (column !== track.source) this.#fit(track, column);
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
    track.source = column;
    if (this.view[name] && shown.constructor === column.constructor && shown.length === column.length) return;
    track.previous = resized(column, track.previous);
    track.current = resized(column, track.current);
    this.view[name] = track.shown = resized(column, shown);
  }

  #markTeleports(before: Column, after: Column, rows: number): void {
    for (let row = 0; row < rows; row++) if (before[row] !== after[row]) this.#teleported[row] = 1;
  }

  /** Makes the previous state of teleported rows, and of rows from `first` on, equal to the current one. */
  #discardPrevious(first: number): void {
    const rows = this.#left;
    for (const { kind, previous, current } of this.#tracks) {
      const { width } = kind;
      for (let row = 0; row < Math.min(first, rows); row++)
        if (this.#teleported[row]) copy(previous, current, row * width, (row + 1) * width);
      copy(previous, current, first * width, rows * width);
    }
    this.#teleported.fill(0);
  }
}
