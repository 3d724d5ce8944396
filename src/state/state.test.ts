import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bool, f32, f64, layout, list, LIVE, oneOf, quat, table, u16, u32, u8, vec2 } from "./index.js";

const Mode = oneOf("idle", "run");
const World = layout({
  score: u32,
  on: bool,
  mode: Mode,
  f: f32,
  x: f64.lerp,
  at: vec2,
  player: { hp: u16, deep: { turn: quat.slerp } },
  slots: list(3, u8),
  crates: table(3, { x: f64.lerp, at: vec2, on: bool, mode: Mode, g: { hp: u8, l: list(2, vec2) } }),
  lamps: list(2, { x: f64 }),
});

test("saves and loads snapshots", () => {
  const state = World.allocate(2);
  state.world.score = 5;
  state.world.crates.add({ x: 1 });
  state.tick = 3;
  state.save(1);
  state.world.score = 6;
  state.world.crates.clear();
  state.tick = 4;
  expect([state.at(1).score, state.at(1).crates.count, state.tickOf(1)]).toEqual([5, 1, 3]);
  state.load(1);
  expect([state.world.score, state.world.crates.count, state.world.crates.x[0], state.tick]).toEqual([
    5, 1, 1, 3,
  ]);
});

test("at returns the same object for a snapshot each time", () => {
  const state = World.allocate(2);
  const view = state.at(0);
  state.world.player.hp = 9;
  state.save(0);
  expect([view.player.hp, state.at(0) === view, state.at(LIVE) === state.world]).toEqual([9, true, true]);
});

test("the random generator is part of the state", () => {
  const state = World.allocate(1);
  state.random.seed("dice");
  state.save(0);
  const first = [state.random.u32(), state.random.u32()];
  state.load(0);
  expect([state.random.u32(), state.random.u32()]).toEqual(first);
});

test("states of one layout are independent", () => {
  const [a, b] = [World.allocate(1), World.allocate(1)];
  const before = b.hash();
  a.world.score = 1;
  a.world.crates.add({ x: 1 });
  a.random.u32();
  a.save(0);
  expect([b.hash(), b.world.score, b.world.crates.count, b.at(0).score]).toEqual([before, 0, 0, 0]);
});

test("the hash covers every number", () => {
  const state = World.allocate(1);
  state.world.crates.add();
  state.save(0);
  const { leaves } = state.layout;
  const seen = new Set([`${state.hash()}`]);
  const bytes = state.bytes().subarray(28);
  const sizes = { f64: 8, f32: 4, i32: 4, u32: 4, i16: 2, u16: 2, i8: 1, u8: 1 };
  let numbers = 0;
  for (const { type, stride, rows, offset } of leaves)
    for (let i = 0; i < stride * rows; i++) {
      numbers++;
      const at = state.world.at.byteOffset - leaves.find(({ name }) => name === "at")!.offset;
      const byte = new Uint8Array(state.world.at.buffer, at + offset + i * sizes[type], 1);
      byte[0]! ^= 1;
      seen.add(`${state.hash()}`);
      byte[0]! ^= 1;
    }
  expect(seen.size).toBe(numbers + 1);
  expect(bytes.length).toBe(state.layout.size);
});

test("the hash treats all NaNs as equal, and tells 0 from -0", () => {
  const state = World.allocate();
  const bits = new Uint8Array(state.world.at.buffer, state.world.at.byteOffset, 8);
  state.world.at[0] = NaN;
  const nan = state.hash();
  bits[0] = 1;
  bits[7]! |= 0x80;
  expect(state.world.at[0]).toBeNaN();
  expect(state.hash()).toEqual(nan);
  state.world.at[0] = 0;
  const zero = state.hash();
  state.world.at[0] = -0;
  expect(state.hash()).not.toEqual(zero);
});

test("writes the hash to an array, if one is passed", () => {
  const state = World.allocate(1);
  const out: [number, number] = [0, 0];
  expect(state.hash(LIVE, out)).toBe(out);
  expect(out).toEqual(state.hash());
  state.save(0);
  expect(state.hash(0)).toEqual(out);
});

test("toJSON returns plain objects", () => {
  const state = World.allocate(1);
  const { world } = state;
  Object.assign(world, { score: 3, on: true, mode: Mode.run, f: 0.5, x: -1 });
  world.crates.remove(world.crates.add());
  const crate = { x: 2, at: [3, 4], on: true, mode: Mode.run, g: { hp: 5, l: [1, 2, 3, 4] } };
  const other = world.crates.add(crate);
  state.tick = 9;
  const json = {
    tick: 9,
    score: 3,
    on: true,
    mode: "run",
    f: 0.5,
    x: -1,
    at: [0, 0],
    player: { hp: 0, deep: { turn: [0, 0, 0, 0] } },
    slots: [0, 0, 0],
    crates: [
      {
        id: other,
        ...crate,
        mode: "run",
        g: {
          hp: 5,
          l: [
            [1, 2],
            [3, 4],
          ],
        },
      },
    ],
    lamps: [{ x: 0 }, { x: 0 }],
  };
  expect(state.toJSON()).toEqual(json);
  expect(JSON.parse(JSON.stringify({ state }))).toEqual({ state: json });
  state.save(0);
  state.world.score = 4;
  expect(state.toJSON(0)).toEqual(json);
});

test("a field named tick does not hide the tick in JSON", () => {
  const state = layout({ tick: f64, score: f64, crates: table(2, { tick: u8 }) }).allocate(1);
  state.tick = 7;
  state.world.tick = 3;
  state.world.crates.add({ tick: 5 });
  const json = { $tick: 7, tick: 3, score: 0, crates: [{ id: 1, tick: 5 }] };
  expect(state.toJSON()).toEqual(json);
  state.save(0);
  state.tick = 8;
  expect([state.toJSON(0), JSON.parse(JSON.stringify(state))]).toEqual([json, { ...json, $tick: 8 }]);
});

test("toJSON returns strings for numbers that JSON lacks", () => {
  const state = layout({ l: list(5, f64) }).allocate();
  state.world.l.set([NaN, Infinity, -Infinity, -0, 0]);
  const wanted = { tick: 0, l: ["NaN", "Infinity", "-Infinity", "-0", 0] };
  expect(state.toJSON()).toEqual(wanted);
  fc.assert(
    fc.property(fc.array(fc.double(), { minLength: 5, maxLength: 5 }), (numbers) => {
      state.world.l.set(numbers);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state.toJSON());
    }),
  );
});

describe("rejects wrong arguments", () => {
  const state = World.allocate(2);
  const none = World.allocate();
  test.each<[() => unknown, string]>([
    [
      () => state.save(2),
      "State.save: snapshot must be a whole number from 0 to 1, or LIVE, got 2. Try layout.allocate(3).",
    ],
    [
      () => state.save(-2),
      "State.save: snapshot must be a whole number from 0 to 1, or LIVE, got -2. Try LIVE.",
    ],
    [() => state.load(0.5), "State.load: snapshot must be a whole number from 0 to 1, or LIVE, got 0.5."],
    [
      () => state.load("0" as never),
      'State.load: snapshot must be a whole number from 0 to 1, or LIVE, got "0".',
    ],
    [() => state.at(2), "State.at: snapshot must be"],
    [() => state.tickOf(2), "State.tickOf: snapshot must be"],
    [() => state.hash(2), "State.hash: snapshot must be"],
    [() => state.hash(0, 5 as never), "State.hash: out must be an object, got 5"],
    [() => state.bytes(2), "State.bytes: snapshot must be"],
    [() => state.toJSON(2), "State.toJSON: snapshot must be"],
    [() => state.diff(0, 2), "State.diff: b must be a whole number"],
    [() => state.diff(0, 1, NaN), "State.diff: max must be a number from 0 to Infinity, got NaN"],
    [() => state.diffFrom({} as never, 0), "State.diffFrom: other must be a state, got {}"],
    [() => state.loadBytes(state.bytes(), 2), "State.loadBytes: snapshot must be"],
    [() => (state.tick = -1), "State.tick must be a whole number, 0 or more, got -1"],
    [() => (state.tick = 0.5), "State.tick must be a whole number, 0 or more, got 0.5"],
    [
      () => none.save(0),
      "State.save: snapshot must be LIVE, as there are no snapshots, got 0. Try layout.allocate(1).",
    ],
    [() => World.allocate(-1), "Layout.allocate: snapshots must be a whole number, 0 or more, got -1"],
    [() => World.allocate(1, null as never), "Layout.allocate: options must be an object, got null"],
    [
      () => World.allocate(1, { kernels: "gpu" as never }),
      'Layout.allocate: kernels must be "auto", "wasm" or "js", got "gpu"',
    ],
    [
      () => World.allocate(1, { kernel: "js" } as never),
      'Layout.allocate: unknown option "kernel". Did you mean "kernels"?',
    ],
    [() => World.allocate(2 ** 40), "bytes: the maximum is 2147483648 bytes"],
    [
      () => layout({ t: table(2 ** 24, { l: list(16, f64) }) }).allocate(),
      "Layout.allocate: cannot allocate 1 × 2415919232 bytes: the maximum is 2147483648 bytes. Allocate fewer snapshots",
    ],
  ])("%s", (call, message) => {
    expect(call).toThrow(message);
  });
});

test("reports that memory ran out", () => {
  const { ArrayBuffer: buffer } = globalThis;
  const { Memory } = WebAssembly;
  const none = class {
    constructor() {
      throw new RangeError("Array buffer allocation failed");
    }
  };
  try {
    Object.assign(globalThis, { ArrayBuffer: none });
    Object.assign(WebAssembly, { Memory: none });
    expect(() => World.allocate(3)).toThrow(
      /^Layout\.allocate: cannot allocate 4 × \d+ bytes: out of memory\. Allocate fewer snapshots/,
    );
  } finally {
    Object.assign(globalThis, { ArrayBuffer: buffer });
    Object.assign(WebAssembly, { Memory });
  }
});
