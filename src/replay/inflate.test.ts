import { constants, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deflate } from "./deflate.js";
import { inflate } from "./inflate.js";

const texts = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .array(fc.constantFrom(0, 1, 2, 255), { maxLength: 70_000, size: "max" })
    .map((all) => Uint8Array.from(all)),
);

/** The size of what comes out of it, or what is wrong. */
function outcome(bytes: Uint8Array): string {
  try {
    return `${inflate(bytes, 2000).length}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("inflate", () => {
  test("undoes what zlib and the platform deflate, in every kind of block", async () => {
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

  test("refuses another size than it is, before and while it unpacks", () => {
    const packed = deflateRawSync(new Uint8Array(100_000));
    expect(() => inflate(packed, 99_999)).toThrow("deflated data with more bytes than was said");
    expect(() => inflate(packed, 100_001)).toThrow("fewer bytes than was said");
    expect(() => inflate(packed, 2 ** 40)).toThrow("a size that cannot be");
  });

  test("whatever it is given, it ends, or says what is wrong", () => {
    const good = deflateRawSync(Uint8Array.from({ length: 2000 }, (_, i) => (i * 7) % 31));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 3 }),
        (any, changes) => {
          const changed = Uint8Array.from(good);
          for (const [at, value] of changes) changed[at] = value;
          for (const bytes of [any, changed]) expect(outcome(bytes)).toMatch(/^2000$|^deflated data with /);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
