import { expect, test } from "vitest";
import {
  HEAD_DOUBLES,
  HEAD_FLAGS,
  HEAD_MOMENT,
  HEAD_SINCE,
  HEAD_TICK,
  IS_REVISION,
  IS_SPECULATED,
} from "./state-head.js";
import { MIN_SLOTS, ringBytes, RingReader, RingWriter } from "./state-ring.js";

function newRing(slots = MIN_SLOTS + 4) {
  const buffer = new ArrayBuffer(ringBytes(slots));
  const writer = new RingWriter(buffer, slots);
  writer.reset();
  const reader = new RingReader(buffer, slots);
  const head = new Float64Array(HEAD_DOUBLES);
  const at = new Float64Array(1);
  return {
    reader,
    /** Publishes a state. Returns its slot. */
    publish(tick: number, moment: number, since = -Infinity, flags = since > -Infinity ? IS_REVISION : 0) {
      const slot = writer.begin();
      head[HEAD_TICK] = tick;
      head[HEAD_MOMENT] = moment;
      head[HEAD_SINCE] = since;
      head[HEAD_FLAGS] = flags;
      writer.publish(head);
      return slot;
    },
    /** Returns the ticks of the two states around a moment. */
    around(moment: number) {
      at[0] = moment;
      reader.claim(at);
      return reader.current < 0
        ? []
        : [reader.previous, reader.current].map((slot) => reader.read(slot, HEAD_TICK));
    },
  };
}

test("an empty ring has no states, and a single one stands for both", () => {
  const { reader, publish, around } = newRing();
  expect(around(5)).toEqual([]);
  expect([reader.claimNewest(), reader.newest]).toEqual([false, -1]);
  publish(0, 10);
  expect([around(5), around(15)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect([reader.claimNewest(), reader.claimNewest()]).toEqual([true, false]);
});

test("the states around a moment are found, the newest one is held after it", () => {
  const { publish, around } = newRing();
  for (let tick = 0; tick < 5; tick++) publish(tick, 10 * tick);
  expect(around(25)).toEqual([2, 3]);
  expect(around(30)).toEqual([3, 4]);
  expect(around(45)).toEqual([4, 4]);
});

test("claimed slots are never written, whatever follows", () => {
  const { reader, publish, around } = newRing(MIN_SLOTS);
  for (let tick = 0; tick < 3; tick++) publish(tick, 10 * tick);
  reader.claimNewest();
  around(5);
  const held = [reader.previous, reader.current, reader.newest];
  for (let tick = 3; tick < 50; tick++) expect(held).not.toContain(publish(tick, 10 * tick));
  expect(held.map((slot) => reader.read(slot, HEAD_TICK))).toEqual([0, 1, 2]);
  reader.release();
  const written = Array.from({ length: 20 }, (_, i) => publish(50 + i, 500 + 10 * i));
  for (const slot of held) expect(written).toContain(slot);
});

test("a guess is replaced by the state of the same moment, and is never the newest state", () => {
  const { reader, publish, around } = newRing();
  publish(0, 0);
  publish(1, 10);
  publish(100, 20, -Infinity, IS_SPECULATED);
  expect(around(15)).toEqual([1, 100]);
  reader.claimNewest();
  expect(reader.read(reader.newest, HEAD_TICK)).toBe(1);
  publish(2, 20);
  expect([around(15), around(20)]).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

test("a revision replaces later moments from its own on, and not before", () => {
  const { publish, around } = newRing();
  for (let tick = 0; tick < 4; tick++) publish(tick, 10 * tick);
  // At 24, the game is paused: state 3 is not reached.
  publish(3, Infinity, 24);
  expect(around(23)).toEqual([2, 3]);
  expect(around(24)).toEqual([2, 3]);
  expect(around(500)).toEqual([2, 3]);
  // At 600, it goes on. What the pause has replaced does not come back.
  publish(3, 606, 600);
  expect(around(599)).toEqual([2, 3]);
  expect(around(603)).toEqual([2, 3]);
  publish(4, 616);
  expect(around(606)).toEqual([3, 4]);
  // A seek to state 70.
  publish(70, 610, 610);
  expect(around(609)).toEqual([3, 4]);
  expect(around(610)).toEqual([70, 70]);
  publish(71, 626);
  expect(around(615)).toEqual([70, 71]);
});

test("states after a revision are not shown before it", () => {
  const { publish, around } = newRing();
  for (let tick = 0; tick < 4; tick++) publish(tick, 10 * tick);
  // Paused at 24, with state 3 ahead; it goes on at 40, and the next state is there soon.
  publish(3, Infinity, 24);
  publish(3, 46, 40);
  publish(4, 56, 40, 0);
  expect(around(38)).toEqual([2, 3]);
  expect(around(45)).toEqual([2, 3]);
  expect(around(50)).toEqual([3, 4]);
});

test("moments that differ by rounding are not replaced", () => {
  const { publish, around } = newRing();
  publish(0, 0);
  publish(1, 10 + 1e-7);
  publish(2, 20);
  publish(2, 50, 10);
  expect(around(15)).toEqual([1, 2]);
});

test("of two states for the same moment, the newer one is shown, also if the moments differ in their last digits", () => {
  for (const error of [-1e-9, 0, 1e-9]) {
    const { publish, around } = newRing();
    publish(1, 10);
    publish(2.5, 20 + error, -Infinity, IS_SPECULATED);
    publish(2, 20);
    publish(3.5, 30 + error, -Infinity, IS_SPECULATED);
    expect([around(15), around(25)]).toEqual([
      [1, 2],
      [2, 3.5],
    ]);
  }
});
