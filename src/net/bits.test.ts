import fc from "fast-check";
import { expect, test } from "vitest";
import { BitReader, BitWriter, bitsFor, nearest } from "./bits.js";

const writer = new BitWriter(400);
const reader = new BitReader();

test("what was written is read, in any mixture of widths and codes", () => {
  const item = fc.oneof(
    fc.tuple(
      fc.constant("raw" as const),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 1, max: 32 }),
    ),
    fc.tuple(
      fc.constant("golomb" as const),
      fc.integer({ min: 0, max: 2 ** 24 }),
      fc.integer({ min: 0, max: 8 }),
    ),
    fc.tuple(
      fc.constant("signed" as const),
      fc.integer({ min: -(2 ** 22), max: 2 ** 22 }),
      fc.integer({ min: 0, max: 8 }),
    ),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      writer.reset();
      const values = items.map(([kind, value, width]) => {
        if (kind === "raw") {
          const fitting = width === 32 ? value : value % 2 ** width;
          writer.write(fitting, width);
          return fitting;
        }
        if (kind === "golomb") writer.writeGolomb(value, width);
        else writer.writeSigned(value, width);
        return value;
      });
      expect(writer.isFull).toBe(false);
      reader.start(writer.bytes().slice());
      const read = items.map(([kind, , width]) =>
        kind === "raw"
          ? reader.read(width)
          : kind === "golomb"
            ? reader.readGolomb(width)
            : reader.readSigned(width),
      );
      expect(read).toEqual(values);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test("small numbers have short codes", () => {
  const bits = (value: number, order: number) => {
    writer.reset();
    writer.writeGolomb(value, order);
    writer.write(1, 1);
    reader.start(writer.bytes());
    const before = reader.left;
    reader.readGolomb(order);
    return before - reader.left;
  };
  expect([0, 7, 8, 23, 24].map((value) => bits(value, 3))).toEqual([4, 4, 6, 6, 8]);
});

test("a reader past the end fails instead of throwing, on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.integer({ min: 0, max: 8 }), (bytes, order) => {
      reader.start(bytes);
      for (let i = 0; i < 120 && !reader.hasFailed; i++) {
        const value = reader.readGolomb(order);
        expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
      }
      expect(reader.hasFailed).toBe(true);
      expect(reader.isAtEnd).toBe(false);
    }),
  );
});

test("bytes that are left over, or set padding bits, are not the end", () => {
  reader.start(Uint8Array.of(0, 0));
  reader.read(3);
  expect(reader.isAtEnd).toBe(false);
  reader.start(Uint8Array.of(1));
  reader.read(3);
  expect(reader.isAtEnd).toBe(false);
});

test("a full writer drops the rest and says so", () => {
  const small = new BitWriter(2);
  small.write(0xffff, 16);
  expect(small.isFull).toBe(false);
  small.write(1, 1);
  expect([small.isFull, small.length]).toEqual([true, 2]);
  small.reset();
  expect([small.isFull, small.length]).toEqual([false, 0]);
});

test("a number is found again from its lowest bits and a guess", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: -2047, max: 2047 }), (value, off) => {
      expect(nearest(value % 4096, 12, value + off)).toBe(value);
    }),
  );
  expect([bitsFor(0), bitsFor(1), bitsFor(7), bitsFor(8)]).toEqual([0, 1, 3, 4]);
});
