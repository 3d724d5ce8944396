// The values of a state as words, and back.
import type { Arrays } from "../../state/arrays.js";
import { ARRAYS } from "../../state/fields.js";
import type { WireColumn, WireSection } from "./wire-fields.js";

const HALF = Math.SQRT1_2;
/** Stands for NaN where values are rounded. */
const NOT_A_NUMBER = -(2 ** 31);
const MAX_STEPS = 2 ** 31 - 1;

/** Copies the values of a column from the state at `base` to an image. Leaves out free rows, unless their values are sent. */
export function readColumn(
  { table, rows, stride, offset }: WireSection,
  { leaf, form, first, count, isForFree }: WireColumn,
  arrays: Arrays,
  base: number,
  words: Int32Array,
): void {
  const values = arrays[leaf.type];
  const step = form === "quat" ? 4 * count : count;
  const { quantum = 1 } = leaf;
  let from = (base + leaf.offset) / ARRAYS[leaf.type].BYTES_PER_ELEMENT;
  // Zeros for free rows.
  const isAll = table === undefined || isForFree;
  for (let row = 0; row < rows; row++, from += step) {
    const start = offset + row * stride;
    const to = start + first;
    const isSent = isAll || words[start]! > 0;
    if (!isSent) words.fill(0, to, to + count * (form === "quat" ? 4 : form === "float64" ? 2 : 1));
    else if (form === "quantized") readRounded(values, from, words, to, count, quantum);
    else if (form === "quat")
      for (let i = 0; i < 4 * count; i += 4) readQuat(values, from + i, words, to + i, quantum);
    else if (form === "float64") readDoubles(arrays.i32, 2 * from, words, to, count);
    else if (form === "float32")
      for (let i = 0; i < count; i++) words[to + i] = ordered(arrays.i32[from + i]!);
    else if (form === "boolean")
      for (let i = 0; i < count; i++) words[to + i] = values[from + i] === 0 ? 0 : 1;
    else for (let i = 0; i < count; i++) words[to + i] = values[from + i]!;
  }
}

/** Copies the words of a column to the state at `base`. */
export function writeColumn(
  { rows, stride, offset }: WireSection,
  { leaf, form, first, count }: WireColumn,
  arrays: Arrays,
  base: number,
  words: Int32Array,
): void {
  const values = arrays[leaf.type];
  const step = form === "quat" ? 4 * count : count;
  const { quantum = 1 } = leaf;
  let to = (base + leaf.offset) / ARRAYS[leaf.type].BYTES_PER_ELEMENT;
  for (let row = 0; row < rows; row++, to += step) {
    const from = offset + row * stride + first;
    if (form === "quantized") writeRounded(words, from, values, to, count, quantum);
    else if (form === "quat")
      for (let i = 0; i < 4 * count; i += 4) writeQuat(words, from + i, values, to + i, quantum);
    else if (form === "float64") writeDoubles(words, from, arrays.i32, 2 * to, count);
    else if (form === "float32")
      for (let i = 0; i < count; i++) arrays.i32[to + i] = ordered(words[from + i]!);
    else for (let i = 0; i < count; i++) values[to + i] = words[from + i]!;
  }
}

type Numbers = { [index: number]: number };

function readRounded(
  values: Numbers,
  from: number,
  words: Int32Array,
  to: number,
  count: number,
  step: number,
): void {
  for (let i = 0; i < count; i++) {
    const steps = Math.floor(values[from + i]! / step + 0.5);
    if (steps >= -MAX_STEPS && steps <= MAX_STEPS) words[to + i] = steps;
    else words[to + i] = steps > 0 ? MAX_STEPS : steps < 0 ? -MAX_STEPS : NOT_A_NUMBER;
  }
}

function writeRounded(
  words: Int32Array,
  from: number,
  values: Numbers,
  to: number,
  count: number,
  step: number,
): void {
  for (let i = 0; i < count; i++) {
    const steps = words[from + i]!;
    values[to + i] = steps === NOT_A_NUMBER ? NaN : steps * step;
  }
}

/** The bits of a float as an integer that sorts like the float. The same function converts it back. */
const ordered = (bits: number): number => (bits < 0 ? bits ^ 0x7fffffff : bits);

function readDoubles(bits: Int32Array, from: number, words: Int32Array, to: number, count: number): void {
  for (let i = 0; i < 2 * count; i += 2) {
    const high = bits[from + i + 1]!;
    words[to + i] = ordered(high);
    words[to + i + 1] = high < 0 ? ~bits[from + i]! : bits[from + i]!;
  }
}

function writeDoubles(words: Int32Array, from: number, bits: Int32Array, to: number, count: number): void {
  for (let i = 0; i < 2 * count; i += 2) {
    const high = words[from + i]!;
    bits[to + i + 1] = ordered(high);
    bits[to + i] = high < 0 ? ~words[from + i + 1]! : words[from + i + 1]!;
  }
}

/** Smallest three: the number of the largest component, from 1 on, and the three others. 0, 0, 0, 0 becomes four zeros. */
function readQuat(values: Numbers, from: number, words: Int32Array, to: number, bits: number): void {
  const x = values[from]!;
  const y = values[from + 1]!;
  const z = values[from + 2]!;
  const w = values[from + 3]!;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0 && length < Infinity)) {
    words[to] = words[to + 1] = words[to + 2] = words[to + 3] = 0;
    return;
  }
  let largest = 0;
  let most = x;
  if (Math.abs(y) > Math.abs(most)) {
    largest = 1;
    most = y;
  }
  if (Math.abs(z) > Math.abs(most)) {
    largest = 2;
    most = z;
  }
  if (Math.abs(w) > Math.abs(most)) {
    largest = 3;
    most = w;
  }
  const max = (1 << bits) - 1;
  const steps = max / (2 * HALF);
  const scale = (most < 0 ? -steps : steps) / length;
  // Rounded: 0 to max.
  const zero = max / 2 + 0.5;
  words[to] = largest + 1;
  words[to + 1] = within((largest === 0 ? y : x) * scale + zero, max);
  words[to + 2] = within((largest <= 1 ? z : y) * scale + zero, max);
  words[to + 3] = within((largest <= 2 ? w : z) * scale + zero, max);
}

/** Truncates a number, and clamps it to the range from 0 to `max`. */
const within = (value: number, max: number): number => (value < 0 ? 0 : value >= max ? max : value);

function writeQuat(words: Int32Array, from: number, values: Numbers, to: number, bits: number): void {
  const largest = words[from]! - 1;
  if (largest < 0) {
    values[to] = values[to + 1] = values[to + 2] = values[to + 3] = 0;
    return;
  }
  const step = (2 * HALF) / ((1 << bits) - 1);
  const a = words[from + 1]! * step - HALF;
  const b = words[from + 2]! * step - HALF;
  const c = words[from + 3]! * step - HALF;
  const square = a * a + b * b + c * c;
  const most = square < 1 ? Math.sqrt(1 - square) : 0;
  // A peer may send components that are too long together.
  const scale = square > 1 ? 1 / Math.sqrt(square) : 1;
  values[to] = (largest === 0 ? most : a) * scale;
  values[to + 1] = (largest === 1 ? most : largest < 1 ? a : b) * scale;
  values[to + 2] = (largest === 2 ? most : largest < 2 ? b : c) * scale;
  values[to + 3] = (largest === 3 ? most : c) * scale;
}
