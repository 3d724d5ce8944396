// Decompresses raw deflate (RFC 1951) synchronously, so that a seek can unpack just the keyframe that it needs. With the
// platform's decompression, which is asynchronous, all keyframes would have to be unpacked beforehand. Accepts exactly the
// streams that zlib accepts and, like zlib, ignores bytes after the last block.
import { misuse } from "../errors/index.js";

/** Canonical Huffman codes of up to 15 bits: the number of codes of each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115];
LENGTHS.push(131, 163, 195, 227, 258);
const LENGTH_BITS = LENGTHS.map((_, i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1));
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537];
DISTANCES.push(2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577);
const DISTANCE_BITS = DISTANCES.map((_, i) => (i < 4 ? 0 : (i >> 1) - 1));
/** The order in which a block lists the lengths of its length codes. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** The highest ratio of compression that deflate can reach. A larger stated size is a lie. */
export const MAX_RATIO = 1032;

let fixed: { literals: Codes; distances: Codes } | undefined;

/** Decompresses to exactly `size` bytes, or throws. Allocates only these, and nothing if `size` is impossible. */
export function inflate(bytes: Uint8Array, size: number): Uint8Array {
  return new Inflater(bytes, size).inflate();
}

class Inflater {
  readonly #bytes: Uint8Array;
  readonly #out: Uint8Array;
  #at = 0;
  #to = 0;
  /** Bits that were read but not used yet, and their number. */
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, size: number) {
    if (size > bytes.length * MAX_RATIO) fail("impossible size");
    this.#bytes = bytes;
    this.#out = new Uint8Array(size);
  }

  inflate(): Uint8Array {
    let isLast = 0;
    while (!isLast) {
      isLast = this.#read(1);
      const type = this.#read(2);
      if (type === 0) this.#copy();
      else if (type === 1) {
        fixed ??= fixedCodes();
        this.#unpack(fixed.literals, fixed.distances);
      } else if (type === 2) this.#unpackDynamic();
      else fail("invalid block type");
    }
    if (this.#to !== this.#out.length) fail("fewer bytes than the stated size");
    return this.#out;
  }

  #read(count: number): number {
    while (this.#count < count) {
      if (this.#at >= this.#bytes.length) fail("unexpected end");
      this.#bits |= this.#bytes[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  /** Reads a symbol. In a canonical set, longer codes are greater, so comparing tells where a code ends. */
  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= 15; length++) {
      code |= this.#read(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return fail("invalid Huffman code");
  }

  #copy(): void {
    this.#bits = this.#count = 0;
    if (this.#at + 4 > this.#bytes.length) fail("unexpected end");
    const [a, b, c, d] = this.#bytes.subarray(this.#at, this.#at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const length = a | (b << 8);
    if (length !== (~(c | (d << 8)) & 0xffff)) fail("contradicting lengths of a stored block");
    const from = this.#at + 4;
    if (from + length > this.#bytes.length) fail("unexpected end");
    if (this.#to + length > this.#out.length) fail("more bytes than the stated size");
    this.#out.set(this.#bytes.subarray(from, from + length), this.#to);
    this.#to += length;
    this.#at = from + length;
  }

  #unpack(literals: Codes, distances: Codes): void {
    const out = this.#out;
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === 256) return;
      if (symbol < 256) {
        if (this.#to >= out.length) fail("more bytes than the stated size");
        out[this.#to++] = symbol;
        continue;
      }
      if (symbol > 285) fail("invalid length symbol");
      const length = LENGTHS[symbol - 257]! + this.#read(LENGTH_BITS[symbol - 257]!);
      const code = this.#symbol(distances);
      if (code > 29) fail("invalid distance symbol");
      const distance = DISTANCES[code]! + this.#read(DISTANCE_BITS[code]!);
      if (distance > this.#to) fail("distance too far back");
      if (this.#to + length > out.length) fail("more bytes than the stated size");
      for (let i = 0; i < length; i++, this.#to++) out[this.#to] = out[this.#to - distance]!;
    }
  }

  /** Unpacks a block that defines its own codes. */
  #unpackDynamic(): void {
    const literals = this.#read(5) + 257;
    const distances = this.#read(5) + 1;
    const given = this.#read(4) + 4;
    if (literals > 286 || distances > 30) fail("too many length or distance codes");
    const lengths = new Uint8Array(literals + distances);
    const own = new Uint8Array(19);
    for (let i = 0; i < given; i++) own[ORDER[i]!] = this.#read(3);
    const codes = codesOf(own, false);
    for (let i = 0; i < lengths.length;) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) fail("repeat without a previous length");
      const value = symbol === 16 ? lengths[i - 1]! : 0;
      const times =
        symbol === 16 ? 3 + this.#read(2) : symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7);
      if (i + times > lengths.length) fail("too many length or distance codes");
      lengths.fill(value, i, i + times);
      i += times;
    }
    if (lengths[256] === 0) fail("no code for the end of a block");
    this.#unpack(codesOf(lengths.subarray(0, literals), true), codesOf(lengths.subarray(literals), true));
  }
}

/**
 * Builds the codes with these lengths. Like zlib, it rejects incomplete sets, which no encoder writes. With `mayBeSingle`, it
 * accepts two of them: a single code of one bit, and no code at all, which fails only when a code is read.
 */
function codesOf(lengths: Uint8Array, mayBeSingle: boolean): Codes {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]! += 1;
  const used = lengths.length - counts[0]!;
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = 2 * left - counts[length]!;
    if (left < 0) fail("over-subscribed Huffman codes");
  }
  const isSingle = used === 0 || (used === 1 && counts[1] === 1);
  if (left > 0 && !(mayBeSingle && isSingle)) fail("incomplete Huffman codes");
  const offsets = new Uint16Array(16);
  for (let length = 1; length < 15; length++) offsets[length + 1] = offsets[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[offsets[length]!++] = symbol;
  });
  // Symbols of length 0 have no code.
  counts[0] = 0;
  return { counts, symbols };
}

function fixedCodes(): { literals: Codes; distances: Codes } {
  const literals = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return { literals: codesOf(literals, false), distances: codesOf(new Uint8Array(32).fill(5), false) };
}

function fail(problem: string): never {
  misuse("corrupt-data", "inflate", `invalid deflate data: ${problem}`);
}
