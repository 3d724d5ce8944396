/** Of the hash. They are not imported, as V8 would load them in each turn of the loop. */
const SHIFT = 15;
export const FACTOR = 0x2c1b3c6d;
const BLOCK = 16;

/** Words that go through four lanes before the next four have them: so they stay in the nearest cache. */
const CHUNK = 2048;

/** A chunk with NaNs, once they are made one. */
const cleaned = new Int32Array(CHUNK);

/** Takes an area of doubles into the lanes; it is given as indices of words. */
export function absorbDoubles(
  lanes: Int32Array,
  words: Int32Array,
  doubles: Float64Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(at + CHUNK, to);
    if (mayHaveNaN(doubles, at >>> 1, end >>> 1)) {
      for (let i = at; i < end; i += 2) {
        const isNaN = Number.isNaN(doubles[i >>> 1]);
        cleaned[i - at] = isNaN ? 0 : words[i]!;
        cleaned[i - at + 1] = isNaN ? 0x7ff80000 : words[i + 1]!;
      }
      absorbChunk(lanes, cleaned, 0, end - at);
    } else absorbChunk(lanes, words, at, end);
  }
}

/** The same of floats. */
export function absorbFloats(
  lanes: Int32Array,
  words: Int32Array,
  floats: Float32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(at + CHUNK, to);
    if (mayHaveFloatNaN(floats, at, end)) {
      for (let i = at; i < end; i++) cleaned[i - at] = Number.isNaN(floats[i]) ? 0x7fc00000 : words[i]!;
      absorbChunk(lanes, cleaned, 0, end - at);
    } else absorbChunk(lanes, words, at, end);
  }
}

/** The same of integers. */
export function absorbIntegers(lanes: Int32Array, words: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at += CHUNK) absorbChunk(lanes, words, at, Math.min(at + CHUNK, to));
}

function absorbChunk(lanes: Int32Array, words: Int32Array, from: number, to: number): void {
  for (let lane = 0; lane < BLOCK; lane += 4) absorbFour(lanes, lane, words, from + lane, to);
}

/** Four lanes and four sums fit the registers; all would not. */
function absorbFour(lanes: Int32Array, lane: number, words: Int32Array, from: number, to: number): void {
  let a = lanes[lane]!;
  let b = lanes[lane + 1]!;
  let c = lanes[lane + 2]!;
  let d = lanes[lane + 3]!;
  let sumA = lanes[BLOCK]!;
  let sumB = lanes[BLOCK + 1]!;
  let sumC = lanes[BLOCK + 2]!;
  let sumD = lanes[BLOCK + 3]!;
  for (let i = from; i < to; i = (i + BLOCK) | 0) {
    a ^= words[i]!;
    b ^= words[i + 1]!;
    c ^= words[i + 2]!;
    d ^= words[i + 3]!;
    a = Math.imul(a ^ (a >>> SHIFT), FACTOR);
    b = Math.imul(b ^ (b >>> SHIFT), FACTOR);
    c = Math.imul(c ^ (c >>> SHIFT), FACTOR);
    d = Math.imul(d ^ (d >>> SHIFT), FACTOR);
    sumA = (sumA + a) | 0;
    sumB = (sumB + b) | 0;
    sumC = (sumC + c) | 0;
    sumD = (sumD + d) | 0;
  }
  lanes[lane] = a;
  lanes[lane + 1] = b;
  lanes[lane + 2] = c;
  lanes[lane + 3] = d;
  lanes[BLOCK] = sumA;
  lanes[BLOCK + 1] = sumB;
  lanes[BLOCK + 2] = sumC;
  lanes[BLOCK + 3] = sumD;
}

/** A sum is NaN if one of the numbers is; if none is, then rarely. */
function mayHaveNaN(numbers: Float64Array, from: number, to: number): boolean {
  let a = 0;
  let b = 0;
  for (let i = from; i < to; i = (i + 8) | 0) {
    a += numbers[i]! + numbers[i + 1]! + (numbers[i + 2]! + numbers[i + 3]!);
    b += numbers[i + 4]! + numbers[i + 5]! + (numbers[i + 6]! + numbers[i + 7]!);
  }
  return Number.isNaN(a + b);
}

/** The same once more: one loop that reads both kinds of arrays is slow for both. */
function mayHaveFloatNaN(numbers: Float32Array, from: number, to: number): boolean {
  let a = 0;
  let b = 0;
  for (let i = from; i < to; i = (i + 8) | 0) {
    a += numbers[i]! + numbers[i + 1]! + (numbers[i + 2]! + numbers[i + 3]!);
    b += numbers[i + 4]! + numbers[i + 5]! + (numbers[i + 6]! + numbers[i + 7]!);
  }
  return Number.isNaN(a + b);
}
