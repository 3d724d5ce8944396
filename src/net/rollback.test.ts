import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { random } from "../math/index.js";
import { simulation, type ConfirmedTick } from "../sim/index.js";
import { Run } from "../sim/run.js";
import { hashText, layout, u32 } from "../state/index.js";
import { Rollback } from "./rollback.js";

const game = brawlFor(2);

/** What the players really do: random, held for some ticks. */
function script(seed: string, ticks = 400): Uint32Array[] {
  const dice = random(new Uint32Array(4)).seed(seed);
  let words = new Uint32Array(2);
  return Array.from({ length: ticks }, () => {
    words = words.map((word) => (dice.chance(0.15) ? dice.int(0, 31) : word));
    return words;
  });
}

/** The hash of each state, without any prediction. */
function hashesOf(inputs: readonly Uint32Array[]): string[] {
  const run = new Run(game, 0, { seed: 0 });
  const hashes = [hashText(run.hash())];
  for (const words of inputs) {
    run.words.set(words);
    run.step();
    hashes.push(hashText(run.hash()));
  }
  return hashes;
}

function rollbackWith(options: { window?: number; saveEvery?: number; guess?: (tick: number) => void } = {}) {
  const effects: { kind: string; text: string }[] = [];
  const rollback: Rollback = new Rollback("test", game as never, {
    window: options.window ?? 8,
    saveEvery: options.saveEvery ?? 1,
    presenter: {
      present: "interpolate",
      deliver: (effect) => void effects.push({ kind: "told", text: JSON.stringify(effect) }),
    },
    guess: options.guess ?? (() => {}),
    withdraw: (effect) => void effects.push({ kind: "withdrawn", text: JSON.stringify(effect) }),
  });
  return { rollback, effects };
}

describe("corrections", () => {
  test.each([1, 3, 7])(
    "lead to the states of a run without guesses, with a state saved every %i ticks",
    (saveEvery) => {
      let corrections = 0;
      fc.assert(
        fc.property(fc.string(), fc.integer({ min: 0, max: 8 }), (seed, late) => {
          const inputs = script(seed, 150);
          const hashes = hashesOf(inputs);
          // The second player is guessed to do what it did last, as far as that is known.
          let known = 0;
          const last = new Uint32Array(1);
          const { rollback } = rollbackWith({
            saveEvery,
            guess(tick) {
              if (tick < known) return;
              if (known > 0) rollback.log.readSeat(known - 1, 1, last, 0);
              rollback.log.writeSeat(tick, 1, last, 0);
            },
          });
          const { log } = rollback;
          const seen: string[] = [];
          for (let tick = 0; tick < inputs.length; tick++) {
            log.writeSeat(tick, 0, inputs[tick]!, 0);
            for (; known <= tick - late; known++)
              if (log.writeSeat(known, 1, inputs[known]!, 1)) rollback.invalidate(known);
            rollback.correct();
            rollback.step();
            rollback.confirmTo(known, ({ tick: confirmed, hash }) => {
              expect(confirmed).toBe(seen.length);
              seen.push(hashText(hash()));
            });
          }
          expect(seen).toEqual(hashes.slice(1, seen.length + 1));
          expect(seen.length).toBe(inputs.length - late);
          corrections += rollback.rollbacks;
        }),
        { numRuns: 15 },
      );
      expect(corrections).toBeGreaterThan(100);
    },
  );

  test("begin at the first wrong tick, and cost nothing if no guess was wrong", () => {
    const { rollback } = rollbackWith();
    for (let i = 0; i < 20; i++) rollback.step();
    expect(rollback.correct()).toBe(0);
    rollback.invalidate(20);
    expect(rollback.correct()).toBe(0);
    rollback.invalidate(17);
    rollback.invalidate(15);
    rollback.invalidate(18);
    expect(rollback.correct()).toBe(5);
    expect(rollback.lastRollback).toEqual({ first: 15, last: 19 });
    expect([rollback.rollbacks, rollback.resimulatedTicks, rollback.tick]).toEqual([1, 5, 20]);
    expect(rollback.correct()).toBe(0);
  });

  test("with sparse states repeat some ticks more", () => {
    const { rollback } = rollbackWith({ saveEvery: 4 });
    for (let i = 0; i < 20; i++) rollback.step();
    rollback.invalidate(15);
    expect(rollback.correct()).toBe(8);
  });
});

test("a confirmed tick has its inputs, absent seats, hash and bytes, although the run is ahead", () => {
  const { rollback } = rollbackWith();
  const { log } = rollback;
  for (let tick = 0; tick < 12; tick++) {
    log.writeSeat(tick, 0, Uint32Array.of(tick), 0);
    log.setAbsent(tick, 1, tick >= 3);
    rollback.step();
  }
  const newest = hashText(rollback.run.hash());
  const seen: unknown[] = [];
  const states: string[] = [];
  const copy = new Run(game, 0);
  rollback.confirmTo(6, ({ tick, words, absent, hash, bytes }: ConfirmedTick) => {
    seen.push([tick, words[0], absent[1]]);
    states.push(hashText(hash()));
    expect(bytes().length).toBeGreaterThan(100);
  });
  expect(seen).toEqual([
    [0, 0, 0],
    [1, 1, 0],
    [2, 2, 0],
    [3, 3, 1],
    [4, 4, 1],
    [5, 5, 1],
  ]);
  for (const [tick, state] of states.entries()) {
    copy.words[0] = tick;
    copy.absent[1] = tick >= 3 ? 1 : 0;
    copy.step();
    expect(state).toBe(hashText(copy.hash()));
  }
  expect([rollback.confirmed, hashText(rollback.run.hash())]).toEqual([6, newest]);
});

test("a state from elsewhere replaces all; bad bytes replace nothing", () => {
  const [{ rollback: one }, { rollback: other }] = [rollbackWith(), rollbackWith({ saveEvery: 4 })];
  for (let tick = 0; tick < 30; tick++) {
    one.log.writeSeat(tick, 0, Uint32Array.of(tick), 0);
    one.step();
  }
  for (let tick = 0; tick < 5; tick++) other.step();
  const before = hashText(other.run.hash());
  const bytes = one.bytesAt(30);
  const damaged = bytes.slice();
  damaged[damaged.length - 3]! ^= 1;
  expect(() => other.load("test", damaged, false)).toThrow("test: ");
  expect([other.tick, hashText(other.run.hash())]).toEqual([5, before]);
  other.load("test", bytes, false);
  expect([other.tick, other.confirmed, hashText(other.run.hash())]).toEqual([
    30,
    30,
    hashText(one.run.hash()),
  ]);
  // It can be corrected from there on, also if its tick is not one that is saved.
  other.step();
  other.invalidate(30);
  expect(other.correct()).toBe(1);
});

test("a step that throws leaves the state before it, and can be taken again", () => {
  let isBroken = true;
  const fragile = simulation({
    name: "fragile",
    version: 1,
    rate: 60,
    players: 1,
    state: layout({ n: u32 }),
    step(world) {
      world.n += 1;
      if (isBroken && world.n === 5) throw new Error("broken");
    },
  });
  const rollback = new Rollback("test", fragile as never, {
    window: 8,
    saveEvery: 1,
    presenter: { deliver: () => {} },
    guess: () => {},
    withdraw: () => {},
  });
  for (let i = 0; i < 4; i++) rollback.step();
  expect(() => rollback.step()).toThrow("broken");
  isBroken = false;
  rollback.invalidate(0);
  rollback.correct();
  expect([rollback.tick, rollback.run.world]).toMatchObject([4, { n: 4 }]);
  rollback.step();
  expect(rollback.run.world).toMatchObject({ n: 5 });
});

test("holds as many states as the window needs", () => {
  const { rollback: narrow } = rollbackWith({ window: 0 });
  const { rollback: wide } = rollbackWith({ window: 30 });
  const { rollback: sparse } = rollbackWith({ window: 30, saveEvery: 10 });
  expect(wide.maxAhead).toBe(narrow.maxAhead + 30);
  expect(sparse.maxAhead).toBeGreaterThanOrEqual(wide.maxAhead);
  expect(sparse.memory).toBeLessThan(wide.memory / 3);
});
