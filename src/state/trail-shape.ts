import { lerp, lerpAngle, nlerp } from "../blend/index.js";
import { badValue, unknownName } from "../errors/index.js";
import type { Arrays } from "./arrays.js";
import { ARRAYS, type Column } from "./fields.js";
import type { Leaf, TrailColumnLeaf, TrailLeaves } from "./leaves.js";
import { badFieldValue, fits } from "./values.js";

/** Values by name: a row, or an object of the user. */
type Values = Record<string, unknown>;

interface TrailColumn extends TrailColumnLeaf {
  readonly name: string;
  /** Numbers per value. */
  readonly width: number;
  /** Index of the column in the array of its type. */
  readonly first: number;
  /** Index of its value in `staged`. */
  readonly at: number;
}

const older = new Float64Array(4);
const newer = new Float64Array(4);
const blended = new Float64Array(4);

/**
 * Reads and writes the trails of one field, in any state of a layout. The values of a row form a ring. The position counts the
 * values until the ring is full, and from then on goes round from `ticks` to twice `ticks`. So one number says where the next
 * value goes and how many there are.
 *
 * Positions may come from a peer. The value of a position that no step can produce is undefined, but it never leads to memory
 * outside of the row.
 */
export class TrailShape {
  readonly ticks: number;
  /** The path, for errors. */
  private readonly path: string;
  private readonly columns: readonly TrailColumn[];
  private readonly position: number;
  private readonly rows: number;
  /** The values of a push. They are read before anything changes, as reading may run user code, which may throw. */
  private readonly staged: Float64Array;

  constructor(readonly leaves: TrailLeaves) {
    const { ticks, columns, position } = leaves;
    this.ticks = ticks;
    this.path = (position.head + position.tail).slice(0, -position.name.length - 1);
    this.position = position.offset / 2;
    this.rows = position.rows;
    let width = 0;
    this.columns = columns.map(({ leaf, blend }) => {
      const first = leaf.offset / ARRAYS[leaf.type].BYTES_PER_ELEMENT;
      const column = { leaf, blend, name: leaf.name, width: leaf.width, first, at: width };
      width += leaf.width;
      return column;
    });
    this.staged = new Float64Array(width);
  }

  /** Throws if a row number is out of range: an index would lead to another row's values. */
  requireRow(row: number): number {
    if (!(Number.isInteger(row) && row >= 0 && row < this.rows))
      badValue(`world.${this.path}: row`, `a row number below ${this.rows}`, row, "players.row(id)");
    return row;
  }

  count(memory: Arrays, row: number): number {
    const position = memory.u16[this.position + row]!;
    return position < this.ticks ? position : this.ticks;
  }

  push(memory: Arrays, row: number, values: Values): void {
    const { columns, staged, ticks } = this;
    if (typeof values !== "object" || values === null) this.badValues("push", values);
    for (let i = 0; i < columns.length; i++) this.stage(columns[i]!, values);
    const position = memory.u16[this.position + row]!;
    const slot = row * ticks + (position % ticks);
    for (let i = 0; i < columns.length; i++) {
      const { leaf, width, first, at } = columns[i]!;
      const numbers = arrayOf(memory, leaf);
      for (let k = 0; k < width; k++) numbers[first + slot * width + k] = staged[at + k]!;
    }
    memory.u16[this.position + row] =
      position + 1 < 2 * ticks ? position + 1 : ticks + ((position + 1) % ticks);
  }

  clear(memory: Arrays, row: number): void {
    const { columns, ticks } = this;
    for (let i = 0; i < columns.length; i++) {
      const { leaf, width, first } = columns[i]!;
      const from = first + row * ticks * width;
      arrayOf(memory, leaf).fill(0, from, from + ticks * width);
    }
    memory.u16[this.position + row] = 0;
  }

  /** Returns the number, boolean or choice of a field `ago` ticks before the last push. */
  at(memory: Arrays, row: number, ago: number, name: string): number | boolean {
    const column = this.find(name);
    if (column.width > 1)
      badValue(
        `world.${this.path}.at: name`,
        "a field of one number",
        name,
        `read(ago, { ${name}: [0, 0] })`,
      );
    this.load(memory, row, ago, column);
    return column.leaf.form === "boolean" ? blended[0] !== 0 : blended[0]!;
  }

  /** Writes all fields `ago` ticks before the last push to `out`. */
  read(memory: Arrays, row: number, ago: number, out: Values): void {
    const { columns } = this;
    if (typeof out !== "object" || out === null) this.badValues("read", out);
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      const { name, width, leaf } = column;
      this.load(memory, row, ago, column);
      if (width === 1) {
        out[name] = leaf.form === "boolean" ? blended[0] !== 0 : blended[0]!;
        continue;
      }
      const numbers = out[name] as { [index: number]: number; length: number } | undefined;
      if (numbers?.length !== width)
        badValue(
          `world.${this.path}.read: ${name}`,
          `an array of ${width}`,
          numbers,
          `[${Array(width).fill(0)}]`,
        );
      for (let k = 0; k < width; k++) numbers[k] = blended[k]!;
    }
  }

  /** Writes the value of a column to `blended`. */
  private load(memory: Arrays, row: number, ago: number, { leaf, width, first, blend }: TrailColumn): void {
    const { ticks } = this;
    if (typeof ago !== "number" || ago !== ago)
      badValue(`world.${this.path}: ago`, "a number of ticks", ago, "2.5");
    const position = memory.u16[this.position + row]!;
    const count = position < ticks ? position : ticks;
    const numbers = arrayOf(memory, leaf);
    // An empty trail holds zeros.
    const last = count === 0 ? 0 : count - 1;
    const back = ago > 0 ? (ago < last ? ago : last) : 0;
    const whole = Math.floor(back);
    // `position + ticks` is above 0 after subtracting at most `ticks`.
    const near = first + (row * ticks + ((position + ticks - 1 - whole) % ticks)) * width;
    const fraction = back - whole;
    if (fraction === 0) {
      for (let k = 0; k < width; k++) blended[k] = numbers[near + k]!;
      return;
    }
    const far = first + (row * ticks + ((position + ticks - 2 - whole) % ticks)) * width;
    const t = 1 - fraction;
    if (blend === "lerp")
      for (let k = 0; k < width; k++) blended[k] = lerp(numbers[far + k]!, numbers[near + k]!, t);
    else if (blend === "angle") blended[0] = lerpAngle(numbers[far]!, numbers[near]!, t);
    else if (blend === "hold") for (let k = 0; k < width; k++) blended[k] = numbers[far + k]!;
    else {
      for (let k = 0; k < 4; k++) {
        older[k] = numbers[far + k]!;
        newer[k] = numbers[near + k]!;
      }
      nlerp(blended, older, newer, t, 1);
    }
    if (leaf.type === "f32") for (let k = 0; k < width; k++) blended[k] = Math.fround(blended[k]!);
  }

  private stage({ name, leaf, width, at }: TrailColumn, values: Values): void {
    const { staged } = this;
    const value = values[name];
    if (width === 1) {
      if (!fits(leaf, value)) badFieldValue(`world.${this.path}.push: ${name}`, leaf, value);
      staged[at] = value as number;
      return;
    }
    const numbers = value as ArrayLike<unknown> | undefined;
    if (typeof numbers !== "object" || numbers?.length !== width)
      badValue(
        `world.${this.path}.push: ${name}`,
        `an array of ${width} numbers`,
        value,
        `[${Array(width).fill(0)}]`,
      );
    for (let k = 0; k < width; k++) {
      const one = numbers[k];
      if (typeof one !== "number") badFieldValue(`world.${this.path}.push: ${name}`, leaf, one);
      staged[at + k] = one;
    }
  }

  private find(name: string): TrailColumn {
    const { columns } = this;
    for (let i = 0; i < columns.length; i++) if (columns[i]!.name === name) return columns[i]!;
    return unknownName(
      `world.${this.path}.at`,
      "field",
      name,
      columns.map((column) => column.name),
    );
  }

  private badValues(method: string, value: unknown): never {
    const names = this.columns.map(({ name }) => name).join(", ");
    return badValue(`world.${this.path}.${method}`, "called with an object", value, `{ ${names} }`);
  }
}

/** Returns the array with the numbers of a leaf. The usual types first, as a computed key is slow. */
function arrayOf(memory: Arrays, { type }: Leaf): Column {
  return type === "f64" ? memory.f64 : type === "f32" ? memory.f32 : memory[type];
}
