import fc from "fast-check";
import { expect, test } from "vitest";
import { Checkpoints } from "./checkpoints.js";
import { chunkAt, chunkOf, isFault } from "./chunk.js";
import { varints } from "./varint.js";

const END = 1000;

const hashOf = (tick: number, width: number): [number, number] => [tick * 31, width === 8 ? tick * 17 : -1];

/** A chunk with checkpoints at even distances. */
function chunk(first: number, every: number, count: number, width: number): Uint8Array {
  const hashes = Array.from({ length: count }, (_, i) =>
    hashOf(first + i * every, width).slice(0, width / 4),
  ).flat();
  return chunkOf(
    "CHEK",
    varints(first, every),
    Uint8Array.of(width),
    new Uint8Array(Uint32Array.from(hashes).buffer),
  );
}

test("checkpoints read from their chunks equal a plain list, also after going back", () => {
  const chunks = fc.record({
    gap: fc.integer({ min: 1, max: 40 }),
    every: fc.integer({ min: 1, max: 9 }),
    count: fc.integer({ min: 0, max: 12 }),
    width: fc.constantFrom(4, 8),
    back: fc.option(fc.integer({ min: 0, max: 60 })),
  });
  fc.assert(
    fc.property(
      fc.array(chunks, { maxLength: 12 }),
      fc.array(fc.nat(END), { maxLength: 20 }),
      (parts, asked) => {
        const bytes = new Uint8Array(10_000);
        const checkpoints = new Checkpoints(bytes);
        let model: { tick: number; width: number }[] = [];
        let at = 0;
        for (const { gap, every, count, width, back } of parts) {
          const first = (model.at(-1)?.tick ?? 0) + gap;
          const own = chunk(first, every, count, width);
          bytes.set(own, at);
          const read = chunkAt(bytes.subarray(0, at + own.length), at);
          if (isFault(read)) throw new Error(read.message);
          expect(checkpoints.add(read, 0, END)).toBeUndefined();
          at += own.length;
          for (let i = 0; i < count; i++) model.push({ tick: first + i * every, width });
          // Reads of one chunk, and then of another.
          checkpoints.tickOf(0);
          if (back === null) continue;
          const tick = (model.at(-1)?.tick ?? 0) - back;
          checkpoints.dropAfter(tick);
          model = model.filter((one) => one.tick <= tick);
        }
        expect(checkpoints.ticks).toEqual(model.map(({ tick }) => tick));
        expect(checkpoints.tickOf(model.length)).toBeNaN();
        expect(checkpoints.tickOf(-1)).toBeNaN();
        for (const [i, { tick, width }] of [...model.entries()].reverse()) {
          expect(checkpoints.wordsOf(i)).toEqual(hashOf(tick, width));
          expect(checkpoints.agrees(i, [tick * 31, tick * 17])).toBe(true);
          expect(checkpoints.agrees(i, [tick * 31 + 1, tick * 17])).toBe(false);
          expect(checkpoints.agrees(i, [tick * 31, tick * 17 + 1])).toBe(width === 4);
        }
        for (const tick of asked) {
          const next = model.findIndex((one) => one.tick >= tick);
          expect(checkpoints.from(tick)).toBe(next < 0 ? model.length : next);
          expect(checkpoints.indexOf(tick)).toBe(model.findIndex((one) => one.tick === tick));
        }
      },
    ),
    { numRuns: 400 },
  );
});
