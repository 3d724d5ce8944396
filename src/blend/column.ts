/** A typed array with one value per row: four numbers for a quaternion, one for most kinds. */
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

/** Returns a column with the type and length of `column`, and the contents of `old` that fit. */
export function resized(column: Column, old: Column): Column {
  const made = new (column.constructor as new (length: number) => Column)(column.length);
  made.set(old.subarray(0, column.length));
  return made;
}

export function copy(to: Column, from: Column, start: number, end: number): void {
  if (start === 0 && end === from.length && end === to.length) to.set(from);
  else for (let i = start; i < end; i++) to[i] = from[i]!;
}

/** Copies the rows that were teleported, or written after the step, from the source. */
export function showWrites(
  shown: Column,
  current: Column,
  source: Column,
  rows: number,
  width: number,
  teleported: Uint8Array,
): void {
  for (let row = 0; row < rows; row++) {
    let isWritten = teleported[row] === 1;
    const end = (row + 1) * width;
    for (let i = row * width; i < end; i++) if (source[i] !== current[i]) isWritten = true;
    if (isWritten) for (let i = row * width; i < end; i++) shown[i] = source[i]!;
  }
}
