import { badValue } from "../errors/index.js";
import { markView, removeKeeper, type Keeper, type Shift } from "./keepers.js";
import type { Picture } from "./batch.js";
import { copy, isColumn, isFloat, likewise, showWrites, type Column } from "./column.js";
import type { Smoother } from "./listen.js";
import { checkShift } from "./move.js";
import type { AnyFields, AnyKind } from "./shape.js";

export type Columns = Record<string, Column>;

/** The states of one column. */
interface Strip {
  readonly name: string;
  readonly kind: AnyKind;
  /** The user's own, as last seen. */
  source: Column;
  previous: Column;
  current: Column;
  shown: Column;
}

/** The states of columns, row by row. */
export class Strips implements Smoother, Keeper {
  readonly owner = this;
  readonly view: Columns = {};
  readonly #columns: Columns;
  readonly #strips: Strip[];
  readonly #count: (() => number) | undefined;
  /** Rows whose states before do not count. */
  #cuts = new Uint8Array(0);
  /** Rows that were there when the step began, and when it ended. */
  #entered = 0;
  #left = 0;

  constructor(columns: Columns, fields: AnyFields, count: (() => number) | undefined) {
    this.#columns = columns;
    this.#count = count;
    const none = new Float64Array(0);
    this.#strips = Object.entries(fields).map(([name, kind]) => ({
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
    for (const { name, kind, previous } of this.#strips)
      copy(previous, this.#columns[name]!, 0, rows * kind.width);
    this.#entered = rows;
    // Until the step ends, nothing is known of after.
    this.#left = 0;
    this.#cuts.fill(0);
  }

  leave(): void {
    const rows = this.#rows();
    for (const { name, kind, current } of this.#strips)
      copy(current, this.#columns[name]!, 0, rows * kind.width);
    for (const { kind, previous, current } of this.#strips)
      if (kind.cuts) this.#markCuts(previous, current, rows);
    this.#left = rows;
    this.#settle(this.#entered);
  }

  draw(at: Picture): void {
    const rows = this.#rows();
    const known = Math.min(rows, this.#left);
    for (const { name, kind, current } of this.#strips)
      if (kind.cuts) this.#markCuts(current, this.#columns[name]!, known);
    for (const { name, kind, previous, current, shown } of this.#strips) {
      const { width } = kind;
      const source = this.#columns[name]!;
      kind.blend(
        shown as Float64Array,
        previous as Float64Array,
        current as Float64Array,
        0,
        known * width,
        at,
      );
      showWrites(shown, current, source, known, width, this.#cuts);
      copy(shown, source, known * width, rows * width);
    }
  }

  forget(): void {
    this.#entered = this.#left = 0;
  }

  end(): void {
    removeKeeper(this.#columns, this);
  }

  teleport(row: number | undefined): void {
    this.#checkRow("teleport", row);
    if (row === undefined) this.forget();
    else this.#cuts[row] = 1;
  }

  shift(by: Shift, row: number | undefined, move: () => void): void {
    this.#checkRow("shift", row);
    const isInStep = this.#left === 0;
    const [first, end] = row === undefined ? [0, this.#rows()] : [row, row + 1];
    const strips = this.#strips.filter(({ name }) => by.has(name));
    checkShift(by, Object.fromEntries(strips.map(({ name, kind }) => [name, kind])));
    for (const name of by.keys())
      if (!strips.some((strip) => strip.name === name))
        badValue(`shift: by.${name}`, "for a column that is smoothed", name, strips[0]?.name ?? "another");
    // What was written since the step is shown as it is, and so are its states left alone.
    const still = strips.map(({ name, kind: { width }, current }) => {
      const source = this.#columns[name]!;
      return Array.from(
        { length: (end - first) * width },
        (_, i) => isInStep || source[first * width + i] === current[first * width + i],
      );
    });
    move();
    for (const [s, { name, kind, previous, current }] of strips.entries())
      for (const [i, isStill] of still[s]!.entries())
        if (isStill) {
          const at = first * kind.width + i;
          previous[at]! += by.get(name)![i % kind.width] ?? 0;
          current[at] = this.#columns[name]![at]!;
        }
  }

  move(by: Shift, row: number | undefined): void {
    const [first, end] = row === undefined ? [0, this.#rows()] : [row, row + 1];
    for (const { name, kind } of this.#strips) {
      const amounts = by.get(name);
      const column = this.#columns[name]!;
      for (let i = first * kind.width; amounts && i < end * kind.width; i++)
        column[i]! += amounts[i % kind.width] ?? 0;
    }
  }

  #checkRow(call: string, row: number | undefined): void {
    const rows = this.#cuts.length;
    if (row !== undefined && row >= rows)
      badValue(`${call}: row`, `below ${rows}, the room there is`, row, 0);
  }

  /** How many rows there are now; makes room for them. */
  #rows(): number {
    let room = Infinity;
    for (const strip of this.#strips) {
      const column = this.#columns[strip.name]!;
      if (column !== strip.source) this.#fit(strip, column);
      room = Math.min(room, Math.floor(column.length / strip.kind.width));
    }
    if (room === Infinity) room = 0;
    if (this.#cuts.length < room) {
      const cuts = new Uint8Array(room);
      cuts.set(this.#cuts);
      this.#cuts = cuts;
    }
    const count = this.#count ? this.#count() : room;
    if (!(Number.isSafeInteger(count) && count >= 0 && count <= room))
      badValue("smoothColumns: count", `a whole number of rows, ${room} at most`, count, "() => alive");
    return count;
  }

  /** A column is another one than before: a longer one, mostly. */
  #fit(strip: Strip, column: Column): void {
    const { name, kind, shown } = strip;
    if (!(isFloat(column) || (kind.held && isColumn(column))))
      badValue(
        `smoothColumns: ${name}`,
        kind.held ? "a typed array" : "a Float64Array or a Float32Array",
        column,
        "new Float64Array(100)",
      );
    strip.source = column;
    if (this.view[name] && shown.constructor === column.constructor && shown.length === column.length) return;
    strip.previous = likewise(column, strip.previous);
    strip.current = likewise(column, strip.current);
    this.view[name] = strip.shown = likewise(column, shown);
  }

  #markCuts(before: Column, after: Column, rows: number): void {
    for (let row = 0; row < rows; row++) if (before[row] !== after[row]) this.#cuts[row] = 1;
  }

  /** For rows from one on, and those that were cut, there is nothing to come from. */
  #settle(first: number): void {
    const rows = this.#left;
    for (const { kind, previous, current } of this.#strips) {
      const { width } = kind;
      for (let row = 0; row < Math.min(first, rows); row++)
        if (this.#cuts[row]) copy(previous, current, row * width, (row + 1) * width);
      copy(previous, current, first * width, rows * width);
    }
    this.#cuts.fill(0);
  }
}
