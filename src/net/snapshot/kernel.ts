// Models and range coder of the snapshot codec: the hot path. `npm run kernels` compiles this file to WebAssembly, so both
// versions compute the same bits. It is therefore written in a small part of TypeScript: functions of 32-bit integers and, where
// declared as `Float`, doubles. Sums that may overflow end in `| 0`, and unsigned numbers are compared as `(a >>> 0) < (b >>> 0)`.
//
// The same functions encode and decode: `codeBit` writes the bit that it is given, or ignores it and returns the one it reads.
import {
  AHEAD,
  AT,
  BASELINE,
  BEHIND,
  BITS,
  BLOCK,
  BLOCK_FLAG,
  BOOLEAN,
  CELL,
  CENTRES,
  CHANGED,
  CHOICE,
  CODE,
  COLUMNS,
  COLUMN_COUNT,
  COLUMN_WORDS,
  COUNT,
  EARLIER,
  FIRST,
  FLAGS,
  FLOAT64,
  FULL,
  HAS_FAILED,
  HAS_IDS,
  ID_FLAG,
  ID_RESIDUAL,
  INTEGER,
  IS_DECODING,
  KIND,
  LAST_ROW,
  LENGTHS,
  LIMIT,
  LIST,
  LISTS,
  LIST_END,
  LOW,
  MAX,
  MAX_ID,
  MIN,
  MODEL,
  MOVED,
  NEW_ROW,
  NEXT,
  OFFSET,
  OLDER,
  PREDICTED,
  PROGRAM,
  QUAT,
  QUAT_A,
  QUAT_B,
  QUAT_CONTEXTS,
  QUAT_STEP,
  RANGE,
  ROWS,
  ROW_FLAG,
  ROW_MODEL,
  SCALE,
  SECTION_WORDS,
  SEEN,
  SEENS,
  STRIDE,
  TARGET,
  TURN_CENTRES,
  UNKNOWN_MOVE,
  VELOCITY,
} from "./kernel-memory.js";

/** A double. All other numbers are 32-bit integers. */
type Float = number;

export interface Kernel {
  /** Encodes or decodes all sections, as the registers say. Returns the end of the bytes. */
  code(): number;
}

const toFloat = (value: number): Float => value;
const toInt = (value: Float): number => value | 0;

/** Returns the kernel in JavaScript for a memory. */
export function jsKernel(buffer: ArrayBuffer): Kernel {
  const i32 = new Int32Array(buffer);
  const u16 = new Uint16Array(buffer);
  const u8 = new Uint8Array(buffer);
  const f64 = new Float64Array(buffer);

  // The range coder.

  /** Adds 1 to the bytes before `end`. */
  function carry(end: number): void {
    let at = end - 1;
    while (u8[at] === 255) {
      u8[at] = 0;
      at--;
    }
    u8[at] = u8[at]! + 1;
  }

  /** Reads a byte. The bytes end where only zeros would follow. */
  function nextByte(): number {
    const at = i32[AT]!;
    if (at >= i32[LIMIT]!) return 0;
    i32[AT] = at + 1;
    return u8[at]!;
  }

  function shift(): void {
    i32[CODE] = (i32[CODE]! << 8) | nextByte();
    i32[RANGE] = i32[RANGE]! << 8;
  }

  /** Codes a bit by two estimates of its probability, which adapt at different rates. */
  function codeBit(context: number, bit: number): number {
    if (i32[IS_DECODING]! === 0) {
      const next = i32[NEXT]!;
      i32[next] = (context << 1) | bit;
      i32[NEXT] = next + 1;
      return bit;
    }
    const at = context << 1;
    const fast = u16[at]!;
    const slow = u16[at + 1]!;
    const range = i32[RANGE]!;
    const code = i32[CODE]!;
    const bound = Math.imul(range >>> 12, (fast + slow) >>> 5);
    const value = code >>> 0 < bound >>> 0 ? 1 : 0;
    const goal = value !== 0 ? 65504 : 32;
    u16[at] = fast + ((goal - fast) >> 4);
    u16[at + 1] = slow + ((goal - slow) >> 7);
    i32[RANGE] = value !== 0 ? bound : (range - bound) | 0;
    if (value === 0) i32[CODE] = (code - bound) | 0;
    while (i32[RANGE]! >>> 0 < 16777216) shift();
    return value;
  }

  /** Codes a number of up to 16 bits, all of which are equally likely. */
  function codeRaw(count: number, number: number): number {
    if (i32[IS_DECODING]! === 0) {
      const next = i32[NEXT]!;
      i32[next] = -2147483648 | (count << 16) | number;
      i32[NEXT] = next + 1;
      return number;
    }
    const range = i32[RANGE]! >>> count;
    const code = i32[CODE]!;
    const found = ((code >>> 0) / (range >>> 0)) | 0;
    // What is left of the range after the last number is not used.
    const value = found >> count !== 0 ? (1 << count) - 1 : found;
    i32[CODE] = (code - Math.imul(value, range)) | 0;
    i32[RANGE] = range;
    while (i32[RANGE]! >>> 0 < 16777216) shift();
    return value;
  }

  /** Encodes the decisions of the list, and empties it. */
  function encode(): void {
    const first = i32[LIST]!;
    const end = i32[NEXT]!;
    i32[NEXT] = first;
    i32[LIST_END] = end;
    i32[LISTS] = i32[LISTS]! + 1;
    let low = i32[LOW]!;
    let range = i32[RANGE]!;
    let out = i32[AT]!;
    const limit = i32[LIMIT]!;
    for (let k = first; k < end; k++) {
      const decision = i32[k]!;
      let skipped = 0;
      if (decision >= 0) {
        const bit = decision & 1;
        const at = decision ^ bit;
        const fast = u16[at]!;
        const slow = u16[at + 1]!;
        const bound = Math.imul(range >>> 12, (fast + slow) >>> 5);
        const goal = 32 + Math.imul(bit, 65472);
        u16[at] = fast + ((goal - fast) >> 4);
        u16[at + 1] = slow + ((goal - slow) >> 7);
        // The lower part for 1, the upper part for 0.
        const isUpper = bit - 1;
        skipped = bound & isUpper;
        range = (bound ^ ((bound ^ (range - bound)) & isUpper)) | 0;
      } else {
        range = range >>> ((decision >> 16) & 31);
        skipped = Math.imul(range, decision & 65535);
      }
      const sum = (low + skipped) | 0;
      if (sum >>> 0 < low >>> 0) carry(out);
      low = sum;
      while (range >>> 0 < 16777216) {
        if (out >= limit) {
          i32[HAS_FAILED] = 1;
          return;
        }
        u8[out] = low >>> 24;
        out++;
        low = low << 8;
        range = range << 8;
      }
    }
    i32[AT] = out;
    i32[LOW] = low;
    i32[RANGE] = range;
  }

  /** Writes the shortest number in the range. Zeros at the end are left out. */
  function finish(start: number): void {
    const low = i32[LOW]!;
    let bits = 32;
    let number = 0;
    let at = i32[AT]!;
    while (bits > 0) {
      bits -= 8;
      const mask = bits === 0 ? 0 : bits === 24 ? 16777215 : bits === 16 ? 65535 : 255;
      number = (low + mask) & ~mask;
      const step = (number - low) | 0;
      if (step >>> 0 < i32[RANGE]! >>> 0) {
        if (number >>> 0 < low >>> 0) carry(at);
        bits = 0;
      }
    }
    while (number !== 0) {
      if (at >= i32[LIMIT]!) {
        i32[HAS_FAILED] = 1;
        return;
      }
      u8[at] = number >>> 24;
      at++;
      number = number << 8;
    }
    while (at > start && u8[at - 1] === 0) at--;
    i32[AT] = at;
  }

  // Values.

  function bitLength(value: number): number {
    return 32 - Math.clz32(value < 0 ? -value | 0 : value);
  }

  /** Codes a difference: its length, as steps up or down from the expected one, then its bits. `lengths` is the first context. */
  function codeSize(lengths: number, centre: number, residual: number): number {
    let value = residual;
    let n = 0;
    if (i32[IS_DECODING]! === 0) {
      n = 32 - Math.clz32(residual < 0 ? -residual | 0 : residual);
      putSize(lengths, centre, n, residual);
    } else {
      n = readLength(lengths, centre);
      value = 0;
      if (n > 0) {
        const top = 1 << (n - 1);
        const coded = codeBits(n, 0);
        value = coded | top;
        if ((coded & top) !== 0) value = -value | 0;
      }
    }
    if (n + 1 > i32[SEEN]!) i32[SEEN] = n + 1;
    return value;
  }

  /**
   * Adds a difference to the list: decisions "longer than i?", upwards or downwards from the expected length until the answer
   * changes, then its bits. The highest bit is 1: the sign takes its place.
   */
  function putSize(lengths: number, centre: number, length: number, residual: number): void {
    let at = i32[NEXT]!;
    if (length > centre) {
      for (let i = centre; i < length; i++) {
        i32[at] = ((lengths + (i < LENGTHS ? i : LENGTHS - 1)) << 1) | 1;
        at++;
      }
      if (length < 32) {
        i32[at] = (lengths + (length < LENGTHS ? length : LENGTHS - 1)) << 1;
        at++;
      }
    } else {
      for (let i = centre; i >= length; i--) {
        i32[at] = (lengths + i) << 1;
        at++;
      }
      if (length > 0) {
        i32[at] = ((lengths + length - 1) << 1) | 1;
        at++;
      }
    }
    if (length > 0) {
      const top = 1 << (length - 1);
      const bits = residual < 0 ? -residual | 0 : residual ^ top;
      if (length > 16) {
        i32[at] = -2147483648 | ((length - 16) << 16) | (bits >>> 16);
        at++;
      }
      i32[at] = -2147483648 | ((length > 16 ? 16 : length) << 16) | (bits & 65535);
      at++;
    }
    i32[NEXT] = at;
  }

  /** The same for the decoder: `codeBit` in a loop, with its registers in variables. */
  function readLength(lengths: number, centre: number): number {
    let range = i32[RANGE]!;
    let code = i32[CODE]!;
    let n = centre;
    let way = 0;
    let isOpen = 1;
    while (isOpen !== 0) {
      const index = way < 0 ? n - 1 : n;
      const at = (lengths + (index < LENGTHS ? index : LENGTHS - 1)) << 1;
      const fast = u16[at]!;
      const slow = u16[at + 1]!;
      const bound = Math.imul(range >>> 12, (fast + slow) >>> 5);
      if (code >>> 0 < bound >>> 0) {
        u16[at] = fast + ((65504 - fast) >> 4);
        u16[at + 1] = slow + ((65504 - slow) >> 7);
        range = bound;
        if (way < 0) {
          isOpen = 0;
        } else {
          way = 1;
          n++;
          if (n === 32) isOpen = 0;
        }
      } else {
        u16[at] = fast + ((32 - fast) >> 4);
        u16[at + 1] = slow + ((32 - slow) >> 7);
        range = (range - bound) | 0;
        code = (code - bound) | 0;
        if (way > 0) isOpen = 0;
        else if (way < 0) n--;
        way = way > 0 ? 1 : -1;
        if (n === 0) isOpen = 0;
      }
      while (range >>> 0 < 16777216) {
        code = (code << 8) | nextByte();
        range = range << 8;
      }
    }
    i32[RANGE] = range;
    i32[CODE] = code;
    return n;
  }

  /** Codes a difference. `model` is the first context of its column, `centres` the expected lengths. */
  function codeResidual(model: number, centres: number, move: number, residual: number): number {
    const seen = i32[SEEN]!;
    const place = move * SEENS + (seen < 9 ? (seen + 2) >> 1 : SEENS - 1) - (seen === 0 ? 1 : 0);
    return codeSize(model + place * LENGTHS, u8[centres + place]!, residual);
  }

  /** Returns what a number moves until the target, if it goes on as from the older image to the baseline. */
  function ahead(move: number): number {
    const far = (toFloat(move) * toFloat(i32[AHEAD]!)) / toFloat(i32[BEHIND]!);
    if (far > 1000000000.5 || far < -1000000000.5) return 0;
    return toInt(Math.floor(far + 0.5));
  }

  /** Returns how far a velocity goes until the target, where it has changed evenly. A step adds the velocity that it has set. */
  function carried(before: number, after: number, scale: number): number {
    const ticks: Float = toFloat(i32[AHEAD]!);
    const sum: Float = (ticks - 1.0) * toFloat(before) + (ticks + 1.0) * toFloat(after);
    const far: Float = (sum * toFloat(scale)) / 2097152.0;
    if (far > 1000000000.5 || far < -1000000000.5) return 0;
    return toInt(Math.floor(far + 0.5));
  }

  function codeIntegers(
    column: number,
    target: number,
    baseline: number,
    older: number,
    isNew: number,
  ): void {
    const model = i32[column + MODEL]!;
    const first = i32[column + FIRST]!;
    const end = first + i32[column + COUNT]!;
    const base = isNew !== 0 ? i32[LAST_ROW]! : baseline;
    const isUneven = i32[AHEAD]! - i32[BEHIND]!;
    const min = i32[column + MIN]!;
    const isSmall = i32[column + FLAGS]! & 4;
    const velocity = isNew !== 0 || i32[AHEAD]! <= 0 ? 0 : i32[column + VELOCITY]!;
    for (let k = first; k < end; k++) {
      let predicted = base !== 0 ? i32[base + k]! : 0;
      let move = isNew !== 0 ? NEW_ROW : UNKNOWN_MOVE;
      if (velocity !== 0) {
        const before = i32[base + k + velocity]!;
        const after = i32[target + k + velocity]!;
        predicted = (predicted + carried(before, after, i32[column + SCALE]!)) | 0;
        // The more the velocity has changed, the less is known about the way.
        move = bitLength(carried(0, (after - before) | 0, i32[column + SCALE]!)) - 1;
        if (move < 0) move = 0;
        if (move > 9) move = 9;
        i32[SEEN] = 0;
      } else if (older !== 0) {
        let step = (predicted - i32[older + k]!) | 0;
        // Flags and the like do not go on as before.
        if (isSmall !== 0 && step !== i32[BEHIND]! && step !== -i32[BEHIND]!) step = 0;
        if (isUneven !== 0) step = ahead(step);
        predicted = (predicted + step) | 0;
        // A counter ends at 0.
        if (predicted < min) predicted = min;
        move = 32 - Math.clz32(step < 0 ? -step | 0 : step);
        if (move > 9) move = 9;
      }
      // What moves says nothing about flags and counters, nor they about it.
      const seen = i32[SEEN]!;
      if (isSmall !== 0) i32[SEEN] = 1;
      const residual = codeResidual(model, CENTRES, move, (i32[target + k]! - predicted) | 0);
      if (isSmall !== 0) i32[SEEN] = seen;
      if (i32[IS_DECODING]! !== 0) {
        const value = (predicted + residual) | 0;
        if (value < i32[column + MIN]! || value > i32[column + MAX]!) i32[HAS_FAILED] = 1;
        i32[target + k] = value;
      }
    }
  }

  function codeBooleans(
    column: number,
    target: number,
    baseline: number,
    older: number,
    isNew: number,
  ): void {
    const model = i32[column + MODEL]!;
    const first = i32[column + FIRST]!;
    const end = first + i32[column + COUNT]!;
    for (let k = first; k < end; k++) {
      const old = isNew !== 0 ? 0 : i32[baseline + k]!;
      const context = isNew !== 0 ? 2 : older !== 0 && i32[older + k]! !== old ? 3 + old : old;
      const flip = codeBit(model + context, i32[target + k]! ^ old);
      if (i32[IS_DECODING]! !== 0) i32[target + k] = flip ^ old;
    }
  }

  function codeChoices(column: number, target: number, baseline: number, isNew: number): void {
    const model = i32[column + MODEL]!;
    const first = i32[column + FIRST]!;
    const end = first + i32[column + COUNT]!;
    for (let k = first; k < end; k++) {
      const old = isNew !== 0 ? 0 : i32[baseline + k]!;
      const code = i32[target + k]!;
      let value = old;
      if (codeBit(model + isNew, code !== old ? 1 : 0) !== 0) {
        let node = 1;
        for (let bit = 7; bit >= 0; bit--) node = 2 * node + codeBit(model + 1 + node, (code >> bit) & 1);
        value = node - 256;
      }
      if (i32[IS_DECODING]! !== 0) {
        if (value > i32[column + MAX]!) i32[HAS_FAILED] = 1;
        i32[target + k] = value;
      }
    }
  }

  // Doubles: two words that sort like the number. The first is signed, the second unsigned.

  /** Loads a double from its two words. */
  function doubleAt(at: number): Float {
    const high = i32[at]!;
    i32[2 * CELL] = high < 0 ? ~i32[at + 1]! : i32[at + 1]!;
    i32[2 * CELL + 1] = high < 0 ? ~high ^ -2147483648 : high;
    return f64[CELL]!;
  }

  function codeFloat64s(
    column: number,
    target: number,
    baseline: number,
    older: number,
    isNew: number,
  ): void {
    const model = i32[column + MODEL]!;
    const first = i32[column + FIRST]!;
    const end = first + 2 * i32[column + COUNT]!;
    const base = isNew !== 0 ? i32[LAST_ROW]! : baseline;
    for (let k = first; k < end; k += 2) {
      let high = base !== 0 ? i32[base + k]! : 0;
      let low = base !== 0 ? i32[base + k + 1]! : 0;
      let kind = isNew !== 0 ? 2 : 0;
      if (older !== 0 && (i32[older + k]! !== high || i32[older + k + 1]! !== low)) {
        kind = 1;
        const near: Float = doubleAt(base + k);
        const move: Float = near - doubleAt(older + k);
        const far: Float = near + (move * toFloat(i32[AHEAD]!)) / toFloat(i32[BEHIND]!);
        // Neither NaN, whose bits differ between engines, nor infinite.
        if (far - far === 0.0) {
          f64[CELL] = far;
          low = i32[2 * CELL]!;
          high = i32[2 * CELL + 1]!;
          if (high < 0) {
            low = ~low;
            high = ~high ^ -2147483648;
          }
        }
      }
      codeWide(model + 128 * kind, model + 384 + kind, target + k, high, low);
    }
  }

  /** Codes up to 32 bits. */
  function codeBits(count: number, bits: number): number {
    if (count === 0) return 0;
    if (count <= 16) return codeRaw(count, bits);
    const high = codeRaw(count - 16, bits >>> 16);
    return (high << 16) | codeRaw(16, bits & 65535);
  }

  /** Codes the 64-bit difference between two words and what is expected there. */
  function codeWide(tree: number, sign: number, at: number, high: number, low: number): void {
    let lowSize = (i32[at + 1]! - low) | 0;
    let highSize = (i32[at]! - high - (i32[at + 1]! >>> 0 < low >>> 0 ? 1 : 0)) | 0;
    const isBelow = highSize < 0 ? 1 : 0;
    if (isBelow !== 0) {
      lowSize = -lowSize | 0;
      highSize = lowSize === 0 ? -highSize | 0 : ~highSize;
    }
    const length = highSize !== 0 ? 64 - Math.clz32(highSize) : 32 - Math.clz32(lowSize);
    let node = 1;
    for (let bit = 6; bit >= 0; bit--) node = 2 * node + codeBit(tree + node, (length >> bit) & 1);
    const n = node - 128;
    let sum = 0;
    let highSum = 0;
    let isNegative = 0;
    if (n > 64) {
      i32[HAS_FAILED] = 1;
    } else if (n > 0) {
      isNegative = codeBit(sign, isBelow);
      // The highest bit is 1. The others follow, at most 16 at a time.
      if (n > 32) {
        const top = 1 << (n - 33);
        highSum = codeBits(n - 33, highSize & (top - 1)) | top;
        sum = codeBits(32, lowSize);
      } else {
        const top = 1 << (n - 1);
        sum = codeBits(n - 1, lowSize & (top - 1)) | top;
      }
    }
    if (i32[IS_DECODING]! !== 0) {
      if (isNegative !== 0) {
        sum = -sum | 0;
        highSum = sum === 0 ? -highSum | 0 : ~highSum;
      }
      const value = (low + sum) | 0;
      i32[at + 1] = value;
      i32[at] = (high + highSum + (value >>> 0 < low >>> 0 ? 1 : 0)) | 0;
    }
  }

  // Quaternions: the number of the largest component from 1 to 4, then the three others. The number 0 stands for 0, 0, 0, 0.

  function loadQuat(to: number, at: number): void {
    const scale: Float = f64[QUAT_STEP]!;
    const largest = i32[at]! - 1;
    let square: Float = 0.0;
    let k = at;
    for (let i = 0; i < 4; i++) {
      if (i !== largest) {
        k++;
        const value: Float = toFloat(i32[k]!) * scale - 0.7071067811865476;
        f64[to + i] = value;
        square = square + value * value;
      }
    }
    f64[to + largest] = square < 1.0 ? Math.sqrt(1.0 - square) : 0.0;
  }

  /** Turns quaternion A as far on from B to A, in proportion to the ticks. */
  function extrapolate(): void {
    let dot: Float = 0.0;
    for (let i = 0; i < 4; i++) dot = dot + f64[QUAT_A + i]! * f64[QUAT_B + i]!;
    const sign: Float = dot < 0.0 ? -1.0 : 1.0;
    const part: Float = toFloat(i32[AHEAD]!) / toFloat(i32[BEHIND]!);
    let square: Float = 0.0;
    for (let i = 0; i < 4; i++) {
      const a: Float = f64[QUAT_A + i]!;
      // The reflection of B at A is one turn further.
      const next: Float = sign * (2.0 * dot * a - f64[QUAT_B + i]!);
      const value: Float = a + (next - a) * part;
      f64[QUAT_B + i] = value;
      square = square + value * value;
    }
    const size: Float = Math.sqrt(square);
    for (let i = 0; i < 4; i++) f64[QUAT_A + i] = square > 0.0 ? f64[QUAT_B + i]! / size : f64[QUAT_A + i]!;
  }

  /** Returns the number of the largest component of quaternion A. */
  function largestOf(): number {
    let largest = 0;
    for (let i = 1; i < 4; i++)
      if (Math.abs(f64[QUAT_A + i]!) > Math.abs(f64[QUAT_A + largest]!)) largest = i;
    return largest + 1;
  }

  /** Writes quaternion A as three integers, without one of its components. */
  function storeQuat(to: number, without: number, max: number): void {
    const scale: Float = f64[QUAT_STEP]!;
    const sign: Float = f64[QUAT_A + without - 1]! < 0.0 ? -1.0 : 1.0;
    let at = to;
    for (let i = 0; i < 4; i++) {
      if (i !== without - 1) {
        const value = toInt(Math.floor((sign * f64[QUAT_A + i]! + 0.7071067811865476) / scale + 0.5));
        i32[at] = value < 0 ? 0 : value > max ? max : value;
        at++;
      }
    }
  }

  function codeQuats(column: number, target: number, baseline: number, older: number, isNew: number): void {
    const first = i32[column + FIRST]!;
    const end = first + 4 * i32[column + COUNT]!;
    const base = isNew !== 0 ? i32[LAST_ROW]! : baseline;
    for (let k = first; k < end; k += 4)
      codeQuat(
        column,
        target + k,
        base !== 0 ? base + k : 0,
        older !== 0 && i32[older + k]! !== 0 ? older + k : 0,
        isNew,
      );
  }

  function codeQuat(column: number, target: number, baseline: number, older: number, isNew: number): void {
    const model = i32[column + MODEL]!;
    const residuals = model + QUAT_CONTEXTS;
    const max = (1 << i32[column + BITS]!) - 1;
    f64[QUAT_STEP] = 1.4142135623730951 / toFloat(max);
    const old = baseline !== 0 ? i32[baseline]! : 0;
    let expected = old;
    let move = isNew !== 0 ? NEW_ROW : UNKNOWN_MOVE;
    let isMoving = 0;
    if (old !== 0) {
      if (older !== 0) {
        move = 0;
        for (let i = 0; i < 4; i++) if (i32[older + i]! !== i32[baseline + i]!) isMoving = 1;
      }
      loadQuat(QUAT_A, baseline);
      if (isMoving !== 0) {
        loadQuat(QUAT_B, older);
        extrapolate();
        expected = largestOf();
      }
    }
    const declared = i32[target]!;
    let largest = expected;
    if (codeBit(model + isMoving, declared !== expected ? 1 : 0) !== 0) {
      let node = 1;
      for (let bit = 2; bit >= 0; bit--) node = 2 * node + codeBit(model + 2 + node, (declared >> bit) & 1);
      largest = node - 8;
      if (largest > 4) {
        i32[HAS_FAILED] = 1;
        largest = 0;
      }
    }
    if (i32[IS_DECODING]! !== 0) i32[target] = largest;
    if (largest === 0) {
      if (i32[IS_DECODING]! !== 0) for (let i = 1; i < 4; i++) i32[target + i] = 0;
      return;
    }
    if (old === 0) {
      for (let i = 0; i < 3; i++) i32[PREDICTED + i] = max >> 1;
    } else if (isMoving !== 0 || largest !== old) {
      storeQuat(PREDICTED, largest, max);
    } else {
      for (let i = 0; i < 3; i++) i32[PREDICTED + i] = i32[baseline + 1 + i]!;
    }
    for (let i = 0; i < 3; i++) i32[EARLIER + i] = i32[PREDICTED + i]!;
    if (isMoving !== 0) {
      if (largest === old) {
        for (let i = 0; i < 3; i++) i32[EARLIER + i] = i32[baseline + 1 + i]!;
      } else {
        loadQuat(QUAT_A, baseline);
        storeQuat(EARLIER, largest, max);
      }
      for (let i = 0; i < 3; i++) {
        const length = bitLength(i32[PREDICTED + i]! - i32[EARLIER + i]!);
        if (length > move) move = length;
      }
      if (move > 9) move = 9;
    }
    for (let i = 0; i < 3; i++) {
      const predicted = i32[PREDICTED + i]!;
      const own = (i32[target + 1 + i]! - predicted) | 0;
      const residual = codeResidual(residuals, TURN_CENTRES, move, own);
      if (i32[IS_DECODING]! !== 0) {
        const value = (predicted + residual) | 0;
        if (value < 0 || value > max) i32[HAS_FAILED] = 1;
        i32[target + 1 + i] = value;
      }
    }
  }

  // Rows.

  /** Codes the id of a row. Returns whether the row is new. */
  function codeId(section: number, target: number, baseline: number): number {
    const old = i32[baseline]!;
    const own = i32[target]!;
    const model = i32[section + ROW_MODEL]!;
    if (codeBit(model + ID_FLAG + (old > 0 ? 1 : 0), own !== old ? 1 : 0) === 0) return 0;
    const max = i32[section + MAX_ID]!;
    // A live row is removed; a free one is used again.
    const expected = old > 0 ? (i32[section + HAS_IDS]! > 1 ? -old | 0 : 0) : (1 - old) | 0;
    const residual = codeSize(model + ID_RESIDUAL + (old > 0 ? LENGTHS : 0), 0, (own - expected) | 0);
    i32[SEEN] = 0;
    let value = own;
    if (i32[IS_DECODING]! !== 0) {
      value = (expected + residual) | 0;
      if (value > max || value < -max) i32[HAS_FAILED] = 1;
      i32[target] = value;
    }
    return value > 0 ? 1 : 0;
  }

  function codeRow(section: number, target: number, baseline: number, older: number): void {
    if (i32[NEXT]! > i32[FULL]!) encode();
    i32[SEEN] = 0;
    let isNew = 0;
    let isLive = 1;
    if (i32[section + HAS_IDS]! !== 0) {
      isNew = codeId(section, target, baseline);
      isLive = i32[target]! > 0 ? 1 : 0;
    }
    const columns = i32[PROGRAM]! + i32[section + COLUMNS]!;
    const end = columns + COLUMN_WORDS * i32[section + COLUMN_COUNT]!;
    for (let column = columns; column < end; column += COLUMN_WORDS) {
      const flags = i32[column + FLAGS]!;
      const kind = i32[column + KIND]!;
      if (isLive === 0 && (flags & 1) === 0) {
        if (i32[IS_DECODING]! !== 0) clear(column, target);
      } else {
        const isFresh = (flags & 2) !== 0 ? 0 : isNew;
        const before = isFresh !== 0 ? 0 : older;
        if (kind === INTEGER) codeIntegers(column, target, baseline, before, isFresh);
        else if (kind === QUAT) codeQuats(column, target, baseline, before, isFresh);
        else if (kind === BOOLEAN) codeBooleans(column, target, baseline, before, isFresh);
        else if (kind === CHOICE) codeChoices(column, target, baseline, isFresh);
        else if (kind === FLOAT64) codeFloat64s(column, target, baseline, before, isFresh);
      }
    }
    if (isLive !== 0) i32[LAST_ROW] = target;
  }

  function clear(column: number, target: number): void {
    const kind = i32[column + KIND]!;
    const words = i32[column + COUNT]! * (kind === QUAT ? 4 : kind === FLOAT64 ? 2 : 1);
    const first = target + i32[column + FIRST]!;
    for (let k = first; k < first + words; k++) i32[k] = 0;
  }

  /** Returns how many of the words of two rows differ, at most 3. */
  function difference(a: number, b: number, stride: number): number {
    let count = 0;
    for (let k = 0; k < stride; k++) {
      if (i32[a + k]! !== i32[b + k]!) {
        count++;
        if (count === 3) return 3;
      }
    }
    return count;
  }

  /** Returns 0 if two rows are the same. */
  function compare(a: number, b: number, stride: number): number {
    let bits = 0;
    let k = 0;
    for (; k < stride - 3; k += 4)
      bits |=
        (i32[a + k]! ^ i32[b + k]!) |
        (i32[a + k + 1]! ^ i32[b + k + 1]!) |
        (i32[a + k + 2]! ^ i32[b + k + 2]!) |
        (i32[a + k + 3]! ^ i32[b + k + 3]!);
    for (; k < stride; k++) bits |= i32[a + k]! ^ i32[b + k]!;
    return bits;
  }

  /** Finds out which rows of a block moved before, and, to encode, which changed. Returns the highest of both. */
  function survey(section: number, start: number, count: number): number {
    const stride = i32[section + STRIDE]!;
    const first = i32[section + OFFSET]! + start * stride;
    const older = i32[OLDER]! !== 0 ? i32[OLDER]! + first : 0;
    const baseline = i32[BASELINE]! + first;
    const target = i32[TARGET]! + first;
    const isEncoding = 1 - i32[IS_DECODING]!;
    let anyMoved = older !== 0 ? 0 : 3;
    let anyChanged = 0;
    for (let i = 0; i < count; i++) u8[MOVED + i] = anyMoved;
    // Most blocks rest.
    if (older !== 0 && compare(baseline, older, count * stride) !== 0) {
      for (let i = 0; i < count; i++) {
        const differing = difference(baseline + i * stride, older + i * stride, stride);
        const moved = differing < 2 ? differing : differing - 1;
        u8[MOVED + i] = moved;
        if (moved > anyMoved) anyMoved = moved;
      }
    }
    if (isEncoding !== 0) {
      anyChanged = compare(target, baseline, count * stride) !== 0 ? 1 : 0;
      if (anyChanged !== 0)
        for (let i = 0; i < count; i++)
          u8[CHANGED + i] = compare(target + i * stride, baseline + i * stride, stride) !== 0 ? 1 : 0;
    }
    return (anyMoved << 1) | anyChanged;
  }

  function codeBlock(section: number, start: number, count: number, wasChanged: number): number {
    const model = i32[section + ROW_MODEL]!;
    const found = survey(section, start, count);
    const isChanged = codeBit(model + BLOCK_FLAG + (found & 6) + wasChanged, found & 1);
    if (isChanged === 0) return 0;
    const stride = i32[section + STRIDE]!;
    const hasIds = i32[section + HAS_IDS]!;
    let near = 0;
    let far = 0;
    for (let i = 0; i < count; i++) {
      const context = model + ROW_FLAG + 3 * u8[MOVED + i]! + near + far;
      const changed = count === 1 ? 1 : codeBit(context, u8[CHANGED + i]!);
      if (changed !== 0) {
        const row = i32[section + OFFSET]! + (start + i) * stride;
        const baseline = i32[BASELINE]! + row;
        let older = i32[OLDER]! !== 0 ? i32[OLDER]! + row : 0;
        // Another row was there.
        if (older !== 0 && hasIds !== 0 && i32[older]! !== i32[baseline]!) older = 0;
        codeRow(section, i32[TARGET]! + row, baseline, older);
      }
      far = near;
      near = changed;
    }
    return 1;
  }

  function code(): number {
    const start = i32[AT]!;
    i32[HAS_FAILED] = 0;
    i32[LISTS] = 0;
    i32[NEXT] = i32[LIST]!;
    i32[LOW] = 0;
    i32[CODE] = 0;
    if (i32[IS_DECODING]! !== 0) for (let i = 0; i < 4; i++) shift();
    i32[RANGE] = -1;
    const program = i32[PROGRAM]!;
    const sections = i32[program]!;
    for (let s = 0; s < sections; s++) {
      const section = program + 1 + s * SECTION_WORDS;
      const rows = i32[section + ROWS]!;
      let wasChanged = 0;
      i32[LAST_ROW] = 0;
      for (let row = 0; row < rows; row += BLOCK) {
        wasChanged = codeBlock(section, row, rows - row < BLOCK ? rows - row : BLOCK, wasChanged);
        if (i32[HAS_FAILED]! !== 0) return -1;
        if (i32[NEXT]! > i32[FULL]!) encode();
      }
    }
    if (i32[IS_DECODING]! === 0) {
      encode();
      if (i32[HAS_FAILED]! === 0) finish(start);
    }
    return i32[HAS_FAILED]! !== 0 ? -1 : i32[AT]!;
  }

  return { code };
}
