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
  let largest = 0;
  for (let i = 1; i < 4; i++)
    if (Math.abs(values[from + i]!) > Math.abs(values[from + largest]!)) largest = i;
  const isQuat = length > 0 && length < Infinity;
  const max = 2 ** bits - 1;
  const scale = values[from + largest]! < 0 ? -1 / length : 1 / length;
  words[to] = isQuat ? largest + 1 : 0;
  let at = to + 1;
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    const steps = Math.floor(((values[from + i]! * scale + HALF) / (2 * HALF)) * max + 0.5);
    words[at++] = isQuat ? Math.min(Math.max(steps, 0), max) : 0;
  }
}

function writeQuat(words: Int32Array, from: number, values: Numbers, to: number, bits: number): void {
  const largest = words[from]! - 1;
  const scale = (2 * HALF) / (2 ** bits - 1);
  let square = 0;
  let at = from + 1;
  for (let i = 0; i < 4; i++) {
    if (i === largest || largest < 0) continue;
    const value = words[at++]! * scale - HALF;
    values[to + i] = value;
    square += value * value;
  }
  if (largest < 0) {
    for (let i = 0; i < 4; i++) values[to + i] = 0;
    return;
  }
  values[to + largest] = square < 1 ? Math.sqrt(1 - square) : 0;
  if (square <= 1) return;
  const length = Math.sqrt(square);
  for (let i = 0; i < 4; i++) values[to + i] = values[to + i]! / length;
}
