import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { axis, button, fraction, int, simulation, type InputFields } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { BitReader, BitWriter } from "./bits.js";
import { InputRows, type RowSink } from "./input-rows.js";
import { SeatLog } from "./seat-log.js";

const gameWith = (input: InputFields) =>
  simulation({ name: "rows", version: 1, rate: 60, players: 4, state: layout({ n: u32 }), input, step() {} });

const GAMES = {
  "one button": gameWith({ go: button }),
  "one word": gameWith({ go: button, way: int(0, 7), hit: button }),
  "a full word": gameWith({ most: int(0, 2 ** 31 - 1), last: button }),
  "three words": gameWith({ x: axis(16), y: axis(16), aim: axis(16), gas: fraction(12), go: button }),
};

/** The bits of a player's words that inputs use. */
const masksOf = ({ packing }: ReturnType<typeof gameWith>): number[] => {
  const masks = Array.from({ length: packing.words }, () => 0);
  for (const { word, mask } of packing.slots) masks[word] = (masks[word]! | mask) >>> 0;
  return masks;
};

const writer = new BitWriter(20_000);
const reader = new BitReader();

/** Rows of a stream, as lists of words: each differs from the one before in some words, or in one bit, or not at all. */
function rowsArbitrary(masks: readonly number[], seats: number): fc.Arbitrary<number[][]> {
  const width = masks.length * seats;
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.record({ bit: fc.nat(31), word: fc.nat(width - 1) }) },
    { weight: 1, arbitrary: fc.array(fc.nat(2 ** 32 - 1), { minLength: width, maxLength: width }) },
  );
  return fc.array(change, { minLength: 1, maxLength: 60 }).map((changes) => {
    let row = Array.from({ length: width }, () => 0);
    return changes.map((one) => {
      const mask = (i: number) => masks[i % masks.length]!;
      if (Array.isArray(one)) row = one.map((word, i) => (word & mask(i)) >>> 0);
      else if (one)
        row = row.map((word, i) => (i === one.word ? ((word ^ (1 << one.bit)) & mask(i)) >>> 0 : word));
      return row;
    });
  });
}

describe.each(Object.entries(GAMES))("%s", (_, game) => {
  const masks = masksOf(game);
  const { words: width } = game.packing;
  const arbitrary = fc
    .subarray([0, 1, 2, 3], { minLength: 1 })
    .chain((seats) =>
      fc.tuple(
        fc.constant(seats),
        rowsArbitrary(masks, seats.length),
        fc.nat(3000),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
    );

  /** A log that holds rows from a tick on. */
  const logOf = (seats: readonly number[], rows: readonly number[][], from: number): SeatLog => {
    const log = new SeatLog(game);
    rows.forEach((row, i) =>
      seats.forEach((seat, place) => log.writeSeat(from + i, seat, Uint32Array.from(row), place * width)),
    );
    return log;
  };

  test("rows are read as they were written, from any of them on", () => {
    fc.assert(
      fc.property(arbitrary, ([seats, rows, from, share]) => {
        const log = logOf(seats, rows, from);
        const coder = new InputRows(game.packing, seats);
        coder.from = from;
        const skipped = Math.floor(share * rows.length);
        const first = from + skipped;
        const end = from + rows.length;

        // The receiver knows the row before.
        writer.reset();
        coder.write(writer, log, first, end);
        const known = logOf(seats, rows.slice(0, skipped), from);
        const read: number[][] = [];
        reader.start(writer.bytes().slice());
        coder.read(reader, first, end, known, {
          takeRow(tick, row) {
            expect(tick).toBe(first + read.length);
            read.push([...row]);
          },
        });
        expect(read).toEqual(rows.slice(skipped));
        expect(reader.isAtEnd).toBe(true);
        // A check of the code reads exactly as far.
        reader.start(writer.bytes().slice());
        coder.read(reader, first, end);
        expect(reader.isAtEnd).toBe(true);

        // The receiver knows nothing.
        writer.reset();
        coder.writeFrom(writer, log, first, end);
        const complete: number[][] = [];
        reader.start(writer.bytes().slice());
        coder.readFrom(reader, first, end, { takeRow: (_, row) => void complete.push([...row]) });
        expect(complete).toEqual(rows.slice(skipped));
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  test("whatever the bytes are, only ticks of the range are read, with bits that inputs use", () => {
    const coder = new InputRows(game.packing, [1, 3]);
    const log = new SeatLog(game);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, ticks) => {
        for (const method of ["read", "readFrom"] as const) {
          let next = 100;
          const sink: RowSink = {
            takeRow(tick, row) {
              expect(tick).toBe(next++);
              row.forEach((word, i) => expect((word & ~masks[i % width]!) >>> 0).toBe(0));
            },
          };
          reader.start(bytes);
          if (method === "read") coder.read(reader, 100, 100 + ticks, log, sink);
          else coder.readFrom(reader, 100, 100 + ticks, sink);
          expect(next).toBeLessThanOrEqual(100 + ticks);
          // All of them, unless the code ended too early.
          const isWhole = method === "read" && !reader.hasFailed;
          expect(next).toBeGreaterThanOrEqual(isWhole ? 100 + ticks : 100);
        }
      }),
    );
  });
});

describe("what rows cost", () => {
  const game = GAMES["one word"];
  const bitsOf = (rows: readonly number[]): number => {
    const log = new SeatLog(game);
    rows.forEach((word, tick) => log.writeSeat(tick, 0, Uint32Array.of(word), 0));
    writer.reset();
    new InputRows(game.packing, [0]).write(writer, log, 0, rows.length);
    // Fill up to whole bytes with ones, to see how many bits there were.
    let bits = writer.length * 8;
    for (const { length } = writer; writer.length === length; bits--) writer.write(1, 1);
    return bits + 1;
  };

  test("nothing changes: one bit, however many ticks", () => {
    expect([1, 10, 500].map((ticks) => bitsOf(Array.from({ length: ticks }, () => 0)))).toEqual([1, 1, 1]);
  });

  test("one button changes in the middle of 16 ticks: when, which, and that nothing else does", () => {
    const rows = Array.from({ length: 16 }, (_, tick) => (tick < 8 ? 0 : 1));
    // 1 · when 4 · one bit 1 · which of 5: 3 · nothing more 1
    expect(bitsOf(rows)).toBe(10);
  });

  test("several inputs change at once: the word", () => {
    const rows = Array.from({ length: 16 }, (_, tick) => (tick < 8 ? 0 : 0b10011));
    // 1 · when 4 · not one bit 1 · word 5 · nothing more 1
    expect(bitsOf(rows)).toBe(12);
  });

  test("a game without inputs: nothing", () => {
    const still = gameWith({});
    const coder = new InputRows(still.packing, [0, 1]);
    const log = new SeatLog(still);
    writer.reset();
    coder.write(writer, log, 0, 100);
    expect(writer.length).toBe(0);
    let ticks = 0;
    reader.start(new Uint8Array(0));
    coder.read(reader, 0, 100, log, { takeRow: () => void ticks++ });
    expect([ticks, reader.hasFailed]).toEqual([100, false]);
  });
});
