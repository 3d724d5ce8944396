// The hash without WebAssembly, tuned for V8: it reads through a DataView, which compiles to fewer instructions than an array;
// its inner loops use literals, as V8 would load a module constant in every iteration; and it masks indices, so that V8 need
// not check for overflow.

/** Lanes i, i + 4, ... share a sum. They form a column. */
const COLUMNS = 4;

/** Bytes that one column absorbs before the next column reads the same bytes: few enough for the L1 cache. */
const CHUNK = 16384;

/** A copy of a chunk in which all NaNs have the same bits. */
const cleaned = new DataView(new ArrayBuffer(CHUNK));

/** Absorbs an area of doubles. */
export function absorbDoubles(lanes: Int32Array, memory: DataView, from: number, to: number): void {
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(at + CHUNK, to);
    if (mayHaveNaN(memory, at, end)) {
      for (let i = at; i < end; i += 8) {
        const isNaN = Number.isNaN(memory.getFloat64(i, true));
        cleaned.setInt32(i - at, isNaN ? 0 : memory.getInt32(i, true), true);
        cleaned.setInt32(i - at + 4, isNaN ? 0x7ff80000 : memory.getInt32(i + 4, true), true);
      }
      absorbChunk(lanes, cleaned, 0, end - at);
    } else absorbChunk(lanes, memory, at, end);
  }
}

/** Absorbs an area of floats. */
export function absorbFloats(lanes: Int32Array, memory: DataView, from: number, to: number): void {
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(at + CHUNK, to);
    if (mayHaveFloatNaN(memory, at, end)) {
      for (let i = at; i < end; i += 4) {
        const isNaN = Number.isNaN(memory.getFloat32(i, true));
        cleaned.setInt32(i - at, isNaN ? 0x7fc00000 : memory.getInt32(i, true), true);
      }
      absorbChunk(lanes, cleaned, 0, end - at);
    } else absorbChunk(lanes, memory, at, end);
  }
}

/** Absorbs an area of integers. */
export function absorbIntegers(lanes: Int32Array, memory: DataView, from: number, to: number): void {
  for (let at = from; at < to; at += CHUNK) absorbChunk(lanes, memory, at, Math.min(at + CHUNK, to));
}

function absorbChunk(lanes: Int32Array, memory: DataView, from: number, to: number): void {
  for (let column = 0; column < COLUMNS; column++) absorbColumn(lanes, column, memory, from, to);
}

/** Absorbs one column, whose lanes and sum fit into registers. Four blocks of 64 bytes per iteration. */
function absorbColumn(lanes: Int32Array, column: number, memory: DataView, from: number, to: number): void {
  let a = lanes[column]!;
  let b = lanes[column + 4]!;
  let c = lanes[column + 8]!;
  let d = lanes[column + 12]!;
  let sum = lanes[16 + column]!;
  const first = (from + 4 * column) & 0x7fffffff;
  const last = (to - from - 64) & 0x7fff;
  let done = 0;
  for (; done < last - 128; done += 256) {
    const i = first + done;
    a ^= memory.getInt32(i, true);
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
    sum = (sum + a) | 0;
    b ^= memory.getInt32(i + 16, true);
    b = Math.imul(b ^ (b >>> 15), 0x2c1b3c6d);
    sum = (sum + b) | 0;
    c ^= memory.getInt32(i + 32, true);
    c = Math.imul(c ^ (c >>> 15), 0x2c1b3c6d);
    sum = (sum + c) | 0;
    d ^= memory.getInt32(i + 48, true);
    d = Math.imul(d ^ (d >>> 15), 0x2c1b3c6d);
    sum = (sum + d) | 0;
    a ^= memory.getInt32(i + 64, true);
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
    sum = (sum + a) | 0;
    b ^= memory.getInt32(i + 80, true);
    b = Math.imul(b ^ (b >>> 15), 0x2c1b3c6d);
    sum = (sum + b) | 0;
    c ^= memory.getInt32(i + 96, true);
    c = Math.imul(c ^ (c >>> 15), 0x2c1b3c6d);
    sum = (sum + c) | 0;
    d ^= memory.getInt32(i + 112, true);
    d = Math.imul(d ^ (d >>> 15), 0x2c1b3c6d);
    sum = (sum + d) | 0;
    a ^= memory.getInt32(i + 128, true);
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
    sum = (sum + a) | 0;
    b ^= memory.getInt32(i + 144, true);
    b = Math.imul(b ^ (b >>> 15), 0x2c1b3c6d);
    sum = (sum + b) | 0;
    c ^= memory.getInt32(i + 160, true);
    c = Math.imul(c ^ (c >>> 15), 0x2c1b3c6d);
    sum = (sum + c) | 0;
    d ^= memory.getInt32(i + 176, true);
    d = Math.imul(d ^ (d >>> 15), 0x2c1b3c6d);
    sum = (sum + d) | 0;
    a ^= memory.getInt32(i + 192, true);
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
    sum = (sum + a) | 0;
    b ^= memory.getInt32(i + 208, true);
    b = Math.imul(b ^ (b >>> 15), 0x2c1b3c6d);
    sum = (sum + b) | 0;
    c ^= memory.getInt32(i + 224, true);
    c = Math.imul(c ^ (c >>> 15), 0x2c1b3c6d);
    sum = (sum + c) | 0;
    d ^= memory.getInt32(i + 240, true);
    d = Math.imul(d ^ (d >>> 15), 0x2c1b3c6d);
    sum = (sum + d) | 0;
  }
  for (; done <= last; done += 64) {
    const i = first + done;
    a ^= memory.getInt32(i, true);
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
    sum = (sum + a) | 0;
    b ^= memory.getInt32(i + 16, true);
    b = Math.imul(b ^ (b >>> 15), 0x2c1b3c6d);
    sum = (sum + b) | 0;
    c ^= memory.getInt32(i + 32, true);
    c = Math.imul(c ^ (c >>> 15), 0x2c1b3c6d);
    sum = (sum + c) | 0;
    d ^= memory.getInt32(i + 48, true);
    d = Math.imul(d ^ (d >>> 15), 0x2c1b3c6d);
    sum = (sum + d) | 0;
  }
  lanes[column] = a;
  lanes[column + 4] = b;
  lanes[column + 8] = c;
  lanes[column + 12] = d;
  lanes[16 + column] = sum;
}

/** Sums all numbers. The sum is NaN if one of them is; rarely, infinities make it NaN too. */
function mayHaveNaN(memory: DataView, from: number, to: number): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const last = (to - 64) & 0x7fffffff;
  for (let i = from & 0x7fffffff; i <= last; i += 64) {
    a += memory.getFloat64(i, true);
    b += memory.getFloat64(i + 8, true);
    c += memory.getFloat64(i + 16, true);
    d += memory.getFloat64(i + 24, true);
    a += memory.getFloat64(i + 32, true);
    b += memory.getFloat64(i + 40, true);
    c += memory.getFloat64(i + 48, true);
    d += memory.getFloat64(i + 56, true);
  }
  return Number.isNaN(a + b + (c + d));
}

/** As `mayHaveNaN`, for floats. */
function mayHaveFloatNaN(memory: DataView, from: number, to: number): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const last = (to - 16) & 0x7fffffff;
  for (let i = from & 0x7fffffff; i <= last; i += 16) {
    a += memory.getFloat32(i, true);
    b += memory.getFloat32(i + 4, true);
    c += memory.getFloat32(i + 8, true);
    d += memory.getFloat32(i + 12, true);
  }
  return Number.isNaN(a + b + (c + d));
}
