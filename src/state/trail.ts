// The objects through which a step reads and writes trails.
import type { StateMemory } from "./arrays.js";
import type { CheckedPointer } from "./cursor.js";
import type { TrailShape } from "./trail-shape.js";

type Values = Record<string, unknown>;

/** A row, and its memory. */
interface Pointer {
  readonly memory: StateMemory;
  readonly row: number;
}

/** The trail of a row object, or of a group. */
export class RowTrail {
  // Not enumerable, and no names that a user could expect.
  declare readonly $shape: TrailShape;
  declare readonly $pointer: Pointer;

  constructor(shape: TrailShape, pointer: Pointer) {
    Object.defineProperty(this, "$shape", { value: shape });
    Object.defineProperty(this, "$pointer", { value: pointer });
    Object.freeze(this);
  }

  get capacity(): number {
    return this.$shape.ticks;
  }

  get count(): number {
    return this.$shape.count(this.$pointer.memory, this.$row());
  }

  push(values: Values): void {
    this.$shape.push(this.$pointer.memory, this.$row(), values);
  }

  at(ago: number, name: string): number | boolean {
    return this.$shape.at(this.$pointer.memory, this.$row(), ago, name);
  }

  read(ago: number, out: Values): Values {
    this.$shape.read(this.$pointer.memory, this.$row(), ago, out);
    return out;
  }

  clear(): void {
    this.$shape.clear(this.$pointer.memory, this.$row());
  }

  /** Returns the row. */
  $row(): number {
    return this.$pointer.row;
  }
}

/** The trail of a row object in a guarded step. */
export class GuardedTrail extends RowTrail {
  override $row(): number {
    const pointer = this.$pointer as unknown as CheckedPointer;
    pointer.requireLive();
    return pointer.row;
  }
}

/** The trails of all rows of a table or a list. */
export class ColumnTrail {
  declare readonly $shape: TrailShape;
  declare readonly $memory: StateMemory;

  constructor(shape: TrailShape, memory: StateMemory) {
    Object.defineProperty(this, "$shape", { value: shape });
    Object.defineProperty(this, "$memory", { value: memory });
    Object.freeze(this);
  }

  get capacity(): number {
    return this.$shape.ticks;
  }

  count(row: number): number {
    return this.$shape.count(this.$memory, this.$shape.requireRow(row));
  }

  push(row: number, values: Values): void {
    this.$shape.push(this.$memory, this.$shape.requireRow(row), values);
  }

  at(row: number, ago: number, name: string): number | boolean {
    return this.$shape.at(this.$memory, this.$shape.requireRow(row), ago, name);
  }

  read(row: number, ago: number, out: Values): Values {
    this.$shape.read(this.$memory, this.$shape.requireRow(row), ago, out);
    return out;
  }

  clear(row: number): void {
    this.$shape.clear(this.$memory, this.$shape.requireRow(row));
  }
}
