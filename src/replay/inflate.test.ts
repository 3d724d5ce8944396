import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTickwiseError } from "../errors/index.js";
import { deflate } from "./deflate.js";
import { inflate } from "./inflate.js";

const texts = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .array(fc.constantFrom(0, 1, 2, 255), { maxLength: 70_000, size: "max" })
    .map((all) => Uint8Array.from(all)),
);

/** The size of the result, or the error. */
function outcome(bytes: Uint8Array): string {
  try {
    return `${inflate(bytes, 2000).length}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("inflate", () => {
  test("restores what zlib and the platform deflate, in every kind of block", async () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(
          constants.Z_DEFAULT_STRATEGY,
          constants.Z_FIXED,
          constants.Z_HUFFMAN_ONLY,
          constants.Z_RLE,
        ),
        (bytes, level, strategy) => {
          const packed = deflateRawSync(bytes, { level, strategy });
          expect(Buffer.compare(inflate(packed, bytes.length), bytes)).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 7);
    expect(Buffer.compare(inflate((await deflate(bytes))!, bytes.length), bytes)).toBe(0);
  });

  test("rejects a wrong size, before or while it unpacks", () => {
    const packed = deflateRawSync(new Uint8Array(100_000));
    expect(() => inflate(packed, 99_999)).toThrow(
      "inflate: invalid deflate data: more bytes than the stated size",
    );
    expect(() => inflate(packed, 100_001)).toThrow("fewer bytes than the stated size");
    expect(() => inflate(packed, 2 ** 40)).toThrow("impossible size");
  });

  test("ends, or throws a clear error, for any input", () => {
    const good = deflateRawSync(Uint8Array.from({ length: 2000 }, (_, i) => (i * 7) % 31));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 3 }),
        (any, changes) => {
          const changed = Uint8Array.from(good);
          for (const [at, value] of changes) changed[at] = value;
          for (const bytes of [any, changed])
            expect(outcome(bytes)).toMatch(/^2000$|^inflate: invalid deflate data: /);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

/** Writes bits in deflate's order: numbers from the lowest bit, Huffman codes from the highest. */
class BitWriter {
  readonly #bits: number[] = [];
  number(value: number, count: number): this {
    for (let i = 0; i < count; i++) this.#bits.push((value >>> i) & 1);
    return this;
  }
  code(text: string): this {
    for (const bit of text) this.#bits.push(Number(bit));
    return this;
  }
  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => (bytes[i >> 3]! |= bit << (i & 7)));
    return bytes;
  }
}

/** Lengths of `count` codes, of which some are used. */
const lengthsOf = (count: number, used: Record<number, number>) =>
  Array.from({ length: count }, (_, i) => used[i] ?? 0);

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The canonical codes of some lengths, as texts of bits. */
function canonical(lengths: readonly number[]): string[] {
  const codes = lengths.map(() => "");
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    code <<= 1;
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = (code++).toString(2).padStart(length, "0").slice(-length);
    });
  }
  return codes;
}

/** The codes for code lengths: complete, with 0, 1, 2, 3 and the repeats. */
const LENGTH_CODES = lengthsOf(19, { 0: 1, 1: 2, 2: 3, 3: 5, 16: 5, 17: 5, 18: 5 });

/** The header of a last block that defines its own codes. */
function dynamicBlock(
  literals: readonly number[],
  distances: readonly number[],
  own = LENGTH_CODES,
): BitWriter {
  const writer = new BitWriter().number(1, 1).number(2, 2);
  writer
    .number(literals.length - 257, 5)
    .number(distances.length - 1, 5)
    .number(15, 4);
  for (const symbol of ORDER) writer.number(own[symbol]!, 3);
  const codes = canonical(own);
  for (const length of [...literals, ...distances]) writer.code(codes[length]!);
  return writer;
}

/** Inflates by zlib; undefined if it rejects the stream. */
function byZlib(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: 2 ** 24 });
  } catch {
    return undefined;
  }
}

/** Inflates by our code; undefined if it rejects the stream. */
function byOurs(bytes: Uint8Array, size: number): Uint8Array | undefined {
  try {
    return inflate(bytes, size);
  } catch (error) {
    if (!(isTickwiseError(error) && error.code === "corrupt-data")) throw error;
    return undefined;
  }
}

/** Both accept a stream with the same bytes, or both reject it. Returns whether they accept. */
function agree(bytes: Uint8Array): boolean {
  const theirs = byZlib(bytes);
  // If zlib rejects it, no size makes it acceptable.
  const sizes = theirs ? [theirs.length] : [0, 1, 2, 3, 5, 258, 259, 261, 300, 1000];
  const ours = sizes.map((size) => byOurs(bytes, size)).find((found) => found !== undefined);
  const isSame = theirs && ours ? Buffer.compare(ours, theirs) === 0 : theirs === ours;
  if (!isSame)
    throw new Error(`${theirs ? "zlib accepts" : "zlib rejects"} ${Buffer.from(bytes).toString("hex")}`);
  return theirs !== undefined;
}

describe("inflate, compared with zlib", () => {
  // Symbols: 0 to 255 literals, 256 end of block, 257 to 285 lengths. Literals "0", end "10", length 257 (3 bytes) "11".
  const LITERALS = lengthsOf(258, { 65: 1, 256: 2, 257: 2 });
  const cases: [string, boolean, Uint8Array][] = [
    ["an empty input", false, new Uint8Array()],
    [
      "a fixed block with its end alone",
      true,
      new BitWriter().number(1, 1).number(1, 2).number(0, 7).bytes(),
    ],
    ["a reserved block type", false, new BitWriter().number(1, 1).number(3, 2).number(0, 20).bytes()],
    ["a stored block", true, Uint8Array.of(1, 2, 0, 253, 255, 7, 8)],
    ["a stored block of no bytes", true, Uint8Array.of(1, 0, 0, 255, 255)],
    ["a stored block whose lengths contradict", false, Uint8Array.of(1, 2, 0, 253, 254, 7, 8)],
    ["a truncated stored block", false, Uint8Array.of(1, 2, 0, 253, 255, 7)],
    ["a stored block without its lengths", false, Uint8Array.of(1, 2, 0)],
    ["bytes after the last block", true, Uint8Array.of(1, 1, 0, 254, 255, 7, 99, 99)],
    ["no last block", false, Uint8Array.of(0, 1, 0, 254, 255, 7)],
    ...[286, 287].map((symbol): [string, boolean, Uint8Array] => [
      `the fixed length symbol ${symbol}`,
      false,
      // Symbols from 280 on have 8 bits, from 11000000 on.
      new BitWriter()
        .number(1, 1)
        .number(1, 2)
        .code("01110001")
        .code((192 + symbol - 280).toString(2))
        .number(0, 30)
        .bytes(),
    ]),
    ...[30, 31].map((symbol): [string, boolean, Uint8Array] => [
      `the fixed distance symbol ${symbol}`,
      false,
      new BitWriter()
        .number(1, 1)
        .number(1, 2)
        .code("01110001")
        .code("0000001")
        .code(symbol.toString(2))
        .number(0, 30)
        .bytes(),
    ]),
    ...([1, 2, 3] as const).map((distance): [string, boolean, Uint8Array] => [
      `a distance of ${distance} after two bytes`,
      distance < 3,
      new BitWriter()
        .number(1, 1)
        .number(1, 2)
        .code("01110001")
        .code("01110001")
        .code("0000001")
        .code((distance - 1).toString(2).padStart(5, "0"))
        .code("0000000")
        .bytes(),
    ]),
    [
      "complete codes",
      true,
      dynamicBlock(LITERALS, [1, 1]).code("0").code("11").code("0").code("10").bytes(),
    ],
    [
      "one distance code of one bit",
      true,
      dynamicBlock(LITERALS, [1]).code("0").code("11").code("0").code("10").bytes(),
    ],
    [
      "the unused half of a single distance code",
      false,
      dynamicBlock(LITERALS, [1]).code("0").code("11").code("1").code("10").number(0, 40).bytes(),
    ],
    ["one distance code of two bits", false, dynamicBlock(LITERALS, [2]).code("0").code("10").bytes()],
    ["no distance code, and none used", true, dynamicBlock(LITERALS, [0]).code("0").code("10").bytes()],
    [
      "no distance code where one is used",
      false,
      dynamicBlock(LITERALS, [0]).code("0").code("11").number(0, 40).bytes(),
    ],
    ["two distance codes of two bits", false, dynamicBlock(LITERALS, [2, 2]).code("0").code("10").bytes()],
    [
      "three distance codes of one bit",
      false,
      dynamicBlock(LITERALS, [1, 1, 1]).code("0").code("10").bytes(),
    ],
    [
      "only an end of block, of one bit",
      true,
      dynamicBlock(lengthsOf(257, { 256: 1 }), [0])
        .code("0")
        .bytes(),
    ],
    [
      "the unused half of a single literal code",
      false,
      dynamicBlock(lengthsOf(257, { 256: 1 }), [0])
        .code("1")
        .number(0, 40)
        .bytes(),
    ],
    [
      "only an end of block, of two bits",
      false,
      dynamicBlock(lengthsOf(257, { 256: 2 }), [0])
        .code("00")
        .bytes(),
    ],
    [
      "incomplete literal codes",
      false,
      dynamicBlock(lengthsOf(257, { 65: 2, 256: 1 }), [0])
        .code("0")
        .bytes(),
    ],
    [
      "over-subscribed literal codes",
      false,
      dynamicBlock(lengthsOf(257, { 65: 1, 66: 1, 256: 1 }), [0])
        .code("0")
        .number(0, 20)
        .bytes(),
    ],
    [
      "no end of block",
      false,
      dynamicBlock(lengthsOf(257, { 65: 1, 66: 1 }), [0])
        .code("0")
        .number(0, 20)
        .bytes(),
    ],
    ["no literal codes", false, dynamicBlock(lengthsOf(257, {}), [0]).number(0, 20).bytes()],
    [
      "287 literal codes",
      false,
      dynamicBlock(lengthsOf(287, { 256: 1 }), [0])
        .code("0")
        .bytes(),
    ],
    [
      "31 distance codes",
      false,
      dynamicBlock(lengthsOf(257, { 256: 1 }), lengthsOf(31, {}))
        .code("0")
        .bytes(),
    ],
    [
      "286 literal and 30 distance codes",
      true,
      dynamicBlock(lengthsOf(286, { 256: 1 }), lengthsOf(30, {}))
        .code("0")
        .bytes(),
    ],
    ["no codes for code lengths", false, dynamicBlock([], [], lengthsOf(19, {})).number(0, 400).bytes()],
    [
      "a single code for code lengths",
      false,
      dynamicBlock([], [], lengthsOf(19, { 0: 1 }))
        .number(0, 400)
        .bytes(),
    ],
    [
      "incomplete codes for code lengths",
      false,
      dynamicBlock([], [], lengthsOf(19, { 0: 2, 1: 2, 2: 2 }))
        .number(0, 400)
        .bytes(),
    ],
    [
      "over-subscribed codes for code lengths",
      false,
      dynamicBlock([], [], lengthsOf(19, { 0: 1, 1: 1, 2: 1 }))
        .number(0, 400)
        .bytes(),
    ],
    ["a repeat of nothing", false, repeats(0, "16")],
    ["a repeat beyond the last code", false, repeats(250, "18")],
  ];

  /** A block whose code lengths begin with `zeros` zeros, and then the longest repeat. */
  function repeats(zeros: number, symbol: "16" | "18"): Uint8Array {
    const codes = canonical(LENGTH_CODES);
    const writer = new BitWriter().number(1, 1).number(2, 2).number(0, 5).number(0, 5).number(15, 4);
    for (const at of ORDER) writer.number(LENGTH_CODES[at]!, 3);
    for (let i = 0; i < zeros; i++) writer.code(codes[0]!);
    return writer
      .code(codes[Number(symbol)]!)
      .number(127, symbol === "16" ? 2 : 7)
      .number(0, 400)
      .bytes();
  }

  test("the codes of these cases are complete", () => {
    expect(LENGTH_CODES.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0)).toBe(1);
  });

  test.each(cases)("%s: accepted is %s by both", (_, isAccepted, bytes) => {
    expect(agree(bytes)).toBe(isAccepted);
  });

  test("the largest possible distance", () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) =>
      i % 32_768 < 300 ? (i % 32_768) * 7 : (i * i) >> 9,
    );
    expect(agree(deflateRawSync(bytes, { level: 9 }))).toBe(true);
  });

  test("streams with changed bits", () => {
    const plain = [
      Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 31),
      Uint8Array.from({ length: 60 }, (_, i) => i * i),
      new Uint8Array(500),
    ];
    const streams = plain.flatMap((bytes) =>
      [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY].map((strategy) =>
        deflateRawSync(bytes, { strategy }),
      ),
    );
    const seen = { accepted: 0, rejected: 0 };
    const count = (bytes: Uint8Array) => seen[agree(bytes) ? "accepted" : "rejected"]++;
    for (const stream of streams)
      for (let bit = 0; bit < 8 * stream.length; bit++) {
        const changed = Uint8Array.from(stream);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        count(changed);
        count(changed.subarray(0, bit >> 3));
      }
    // Streams of both kinds were tested.
    expect(seen.accepted).toBeGreaterThan(300);
    expect(seen.rejected).toBeGreaterThan(1000);
  });

  test("any code lengths, and any bits after them", () => {
    const lengths = fc.constantFrom(0, 0, 0, 1, 1, 2, 2, 3);
    const dynamic = fc
      .tuple(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 258 }), lengths), { maxLength: 5 }),
        fc.constantFrom(0, 1, 2, 3),
        fc.array(lengths, { minLength: 1, maxLength: 6 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
      )
      .map(([some, end, distances, bits]) => {
        const literals = lengthsOf(259, Object.fromEntries(some));
        literals[256] = end;
        const writer = dynamicBlock(literals, distances);
        for (const bit of bits) writer.number(Number(bit), 1);
        return writer.bytes();
      });
    const seen = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(fc.oneof(dynamic, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        seen[agree(bytes) ? "accepted" : "rejected"]++;
      }),
      { numRuns: 4000 },
    );
    expect(seen.accepted).toBeGreaterThan(10);
    expect(seen.rejected).toBeGreaterThan(1000);
  });
});
