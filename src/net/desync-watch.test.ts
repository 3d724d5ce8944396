import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DesyncWatch, type Mismatch } from "./desync-watch.js";

/** A watch, and what it has reported. */
function watching() {
  const watch = new DesyncWatch();
  const found: Mismatch[] = [];
  const differ = (mismatch: Mismatch) => void found.push(mismatch);
  return {
    watch,
    found,
    add: (checkpoint: number, hash: number) => watch.add(checkpoint, [hash], differ),
    receive: (id: number, checkpoint: number, hash: number) => watch.receive(id, checkpoint, [hash], differ),
    hashOf(checkpoint: number) {
      const hash = new Uint32Array(1);
      return watch.readHash(checkpoint, hash) ? hash[0] : undefined;
    },
  };
}

describe("hashes are compared", () => {
  test("whichever side was first", () => {
    const { watch, found, add, receive } = watching();
    add(1, 11);
    receive(7, 1, 11);
    receive(7, 2, 22);
    add(2, 22);
    expect([found, watch.agreedWith(7)]).toEqual([[], 2]);
    receive(7, 3, 99);
    add(3, 33);
    add(4, 44);
    receive(7, 4, 99);
    expect(found).toEqual([
      { id: 7, checkpoint: 3 },
      { id: 7, checkpoint: 4 },
    ]);
    expect(watch.agreedWith(7)).toBe(2);
  });

  test("in any order, each pair of hashes of the same checkpoint once", () => {
    const events = fc.shuffledSubarray(
      Array.from({ length: 20 }, (_, i) => ({ isOwn: i % 2 === 0, checkpoint: Math.floor(i / 2) + 1 })),
      { minLength: 20 },
    );
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 10 }), (order, wrong) => {
        const { found, add, receive } = watching();
        // Own checkpoints come in order.
        let own = 0;
        for (const { isOwn, checkpoint } of order)
          if (isOwn) add(++own, own);
          else receive(7, checkpoint, checkpoint === wrong ? 0 : checkpoint);
        expect(found).toEqual([{ id: 7, checkpoint: wrong }]);
      }),
    );
  });

  test("for each peer on its own", () => {
    const { watch, found, add, receive } = watching();
    add(1, 11);
    receive(7, 1, 11);
    receive(8, 1, 12);
    expect(found).toEqual([{ id: 8, checkpoint: 1 }]);
    expect([watch.agreedWith(7), watch.agreedWith(8), watch.agreedWith(9)]).toEqual([1, -1, -1]);
  });
});

test("the last 32 checkpoints are kept", () => {
  const { watch, found, add, receive, hashOf } = watching();
  for (let checkpoint = 1; checkpoint <= 40; checkpoint++) add(checkpoint, checkpoint);
  expect([watch.newest, hashOf(40), hashOf(9), hashOf(8)]).toEqual([40, 40, 9, undefined]);
  receive(7, 8, 0);
  receive(7, -1, 0);
  receive(7, -3, 0);
  expect(found).toEqual([]);
  receive(7, 9, 0);
  expect(found).toEqual([{ id: 7, checkpoint: 9 }]);
});

test("starts again after a load", () => {
  const { watch, found, add, receive, hashOf } = watching();
  add(1, 11);
  receive(7, 1, 11);
  receive(7, 5, 0);
  watch.clear();
  expect([watch.newest, hashOf(1), watch.agreedWith(7)]).toEqual([-1, undefined, -1]);
  add(5, 55);
  expect(found).toEqual([]);
});

test("hashes of a distant future are bounded", () => {
  const { found, add, receive } = watching();
  for (let i = 0; i < 100_000; i++) receive(7, 1000 + i, i);
  add(1, 11);
  receive(7, 1, 12);
  expect(found).toEqual([{ id: 7, checkpoint: 1 }]);
});
