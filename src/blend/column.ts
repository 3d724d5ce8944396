/** A typed array with a value for each row: four numbers for a quaternion, one for most. */
export type Column =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

export const isFloat = (value: unknown): value is Float64Array | Float32Array =>
  value instanceof Float64Array || value instanceof Float32Array;
export const isColumn = (value: unknown) =>
  ArrayBuffer.isView(value) &&
  !(value instanceof DataView || value instanceof BigInt64Array || value instanceof BigUint64Array);

/** A column of the kind and length of another, with what fits of its own. */
export function likewise(column: Column, old: Column): Column {
  const made = new (column.constructor as new (length: number) => Column)(column.length);
  made.set(old.subarray(0, column.length));
  return made;
}

export function copy(to: Column, from: Column, start: number, end: number): void {
  if (start === 0 && end === from.length && end === to.length) to.set(from);
  else for (let i = start; i < end; i++) to[i] = from[i]!;
}

/** Shows rows as they are where they were cut or written since the step. */
export function showWrites(
  shown: Column,
  current: Column,
  source: Column,
  rows: number,
  width: number,
  cuts: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    let isWritten = cuts[row] === 1;
    const end = (row + 1) * width;
    for (let i = row * width; i < end; i++) if (source[i] !== current[i]) isWritten = true;
    if (isWritten) for (let i = row * width; i < end; i++) shown[i] = source[i]!;
  }
}
