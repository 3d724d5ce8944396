import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TickwiseError } from "../errors/index.js";
import { memoryOf } from "./memory.js";
import { bool, f32, f64, layout, list, LIVE, table, u32, u8, vec2 } from "./index.js";

const World = layout({
  score: u32,
  at: vec2,
  crates: table(4, { x: f64.lerp, hp: u8 }),
  flags: list(3, bool),
  f: f32,
});
const HEAD = 28;

function filled() {
  const state = World.allocate(2);
  const { world } = state;
  world.score = 7;
  const ids = [1, 2, 3].map((x) => world.crates.add({ x }));
  world.crates.remove(ids[1]!);
  state.tick = 12;
  state.random.u32();
  return state;
}

test("loads what was saved, with tick and random generator", () => {
  const from = filled();
  const to = World.allocate();
  to.loadBytes(from.bytes());
  expect(to.toJSON()).toEqual(from.toJSON());
  expect([to.tick, to.hash(), to.random.u32()]).toEqual([12, from.hash(), from.random.u32()]);
  expect(to.world.crates.row(to.world.crates.add())).toBe(1);
});

test("saves and loads snapshots", () => {
  const state = filled();
  state.save(0);
  state.world.score = 8;
  state.loadBytes(state.bytes(0), 1);
  expect([state.world.score, state.at(1).score]).toEqual([8, 7]);
  expect(state.diff(0, 1)).toEqual([]);
});

test("returns a copy, and loads bytes at any offset", () => {
  const from = filled();
  const bytes = from.bytes();
  from.world.score = 9;
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const to = World.allocate();
  to.loadBytes(shifted.subarray(3));
  expect(to.world.score).toBe(7);
});

/** Loads bytes and returns the error's message. Checks that nothing changed. */
function rejection(bytes: Uint8Array): string {
  const state = filled();
  state.world.score = 99;
  state.save(0);
  let message = "loaded";
  try {
    state.loadBytes(bytes);
  } catch (error) {
    message = (error as Error).message;
  }
  return state.diff(0, LIVE).length > 0 ? "half loaded" : message;
}

/** Writes the hash that matches the bytes. */
function rehashed(bytes: Uint8Array): Uint8Array {
  const { buffer, kernels } = memoryOf(World.size, "js");
  new Uint8Array(buffer).set(bytes.subarray(HEAD));
  const { f64, f32, int } = World.areas;
  const hash = [0, 0];
  kernels.hash(0, f64, f32, int, hash);
  const view = new DataView(bytes.buffer);
  view.setUint32(20, hash[0]!, true);
  view.setUint32(24, hash[1]!, true);
  return bytes;
}

describe("rejects", () => {
  const good = filled().bytes();
  const at = (byte: number, value: number) => Uint8Array.from(good, (old, i) => (i === byte ? value : old));
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "bytes must be a Uint8Array"],
    ["a list", [...good], "bytes must be a Uint8Array"],
    ["a buffer", good.buffer, "bytes must be a Uint8Array"],
    ["no bytes", new Uint8Array(0), "the header needs 28 bytes, but there are 0"],
    ["part of a header", good.subarray(0, 27), "the header needs 28 bytes, but there are 27"],
    ["only a header", good.subarray(0, 28), `${good.length} bytes were saved, but there are 28`],
    ["a missing byte", good.subarray(0, -1), `bytes were saved, but there are ${good.length - 1}`],
    ["an extra byte", Uint8Array.of(...good, 0), `${good.length} bytes were saved, but there are`],
    ["another magic", at(0, 0), "bytes 0 to 3 are 53535700, not 53535754"],
    ["another version", at(4, 2), "bytes 4 to 7 are version 2 of the format, not 1"],
    ["another size", at(16, 1), "bytes 16 to 19 are a size of"],
    ["another hash", at(20, good[20]! ^ 1), "the hash in bytes 20 to 27 is"],
    [
      "another layout",
      layout({ score: u8 }).allocate().bytes(),
      `but this state has layout ${World.fingerprint}`,
    ],
  ])("%s", (_, bytes, message) => {
    expect(rejection(bytes as Uint8Array)).toContain("State.loadBytes: ");
    expect(rejection(bytes as Uint8Array)).toContain(message);
  });
});

test("rejects 20,000 random changes", () => {
  const state = filled();
  const good = state.bytes();
  const hash = state.hash();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.option(fc.nat(good.length - 1), { freq: 4 }),
      (changes, length) => {
        const bytes = good.slice(0, length ?? good.length);
        for (const [at, by] of changes) if (at < bytes.length) bytes[at]! ^= by;
        // Two changes may cancel out.
        fc.pre(length !== null || bytes.some((byte, i) => byte !== good[i]));
        expect(() => state.loadBytes(bytes)).toThrow(TickwiseError);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(state.hash()).toEqual(hash);
});

describe("rejects states that no step can produce, even with a valid hash:", () => {
  const leafOf = (name: string) => World.leaves.find((leaf) => leaf.hidden && leaf.name === name)!.offset;
  const { tick, random } = World.own;

  function forged(offset: number, value: number, type: "u32" | "f64") {
    const bytes = filled().bytes();
    const view = new DataView(bytes.buffer);
    if (type === "f64") view.setFloat64(HEAD + offset, value, true);
    else view.setUint32(HEAD + offset, value, true);
    return rehashed(bytes);
  }

  const table =
    /^State\.loadBytes: the bytes are damaged: the row bookkeeping of table "crates" is corrupt\./;
  test.each<[string, number, number, "u32" | "f64", RegExp]>([
    [
      "a negative tick",
      tick.offset,
      -1,
      "f64",
      /^State\.loadBytes: the bytes are damaged: the tick is -1, not a whole number\. Use the bytes exactly as they were saved\.$/,
    ],
    [
      "a fractional tick",
      tick.offset,
      0.5,
      "f64",
      /^State\.loadBytes: the bytes are damaged: the tick is 0\.5/,
    ],
    ["a tick of NaN", tick.offset, NaN, "f64", /^State\.loadBytes: the bytes are damaged: the tick is NaN/],
    ["a wrong count", leafOf("count"), 3, "u32", table],
    ["an end that is too low", leafOf("end"), 2, "u32", table],
    ["an end that is too high", leafOf("end"), 4, "u32", table],
    ["an end beyond the table", leafOf("end"), 2 ** 32 - 1, "u32", table],
    ["a free list that ends too early", leafOf("first free row"), 0, "u32", table],
    ["a free list that starts with a live row", leafOf("first free row"), 1, "u32", table],
    ["a free list that leaves the table", leafOf("first free row"), 5, "u32", table],
    ["a free list that leaves the memory", leafOf("first free row"), 2 ** 32 - 1, "u32", table],
    ["a cyclic free list", leafOf("next free row") + 4, 2, "u32", table],
    ["a free list that continues with a live row", leafOf("next free row") + 4, 3, "u32", table],
    ["a live row with a free-list entry", leafOf("next free row"), 2, "u32", table],
    ["the id of another row", leafOf("id"), 2, "f64", table],
    ["an id that was removed", leafOf("id"), -1, "f64", table],
    ["a free row with an id", leafOf("id") + 8, 2, "f64", table],
    ["a fractional id", leafOf("id"), 1.5, "f64", table],
    ["an id of NaN", leafOf("id"), NaN, "f64", table],
    ["an infinite id", leafOf("id"), Infinity, "f64", table],
    ["an id of 0 before the end", leafOf("id"), 0, "f64", table],
    ["an id after the end", leafOf("id") + 24, 4, "f64", table],
  ])("%s", (_, offset, value, type, message) => {
    expect(rejection(forged(offset, value, type))).toMatch(message);
  });

  test("a random generator that was never seeded", () => {
    const bytes = filled().bytes();
    bytes.fill(0, HEAD + random.offset, HEAD + random.offset + 16);
    expect(rejection(rehashed(bytes))).toBe(
      "State.loadBytes: the bytes are damaged: the random generator was never seeded. Use the bytes exactly as they were saved.",
    );
  });
});

test("says by a code what is wrong with the bytes", () => {
  const state = filled();
  const bytes = state.bytes();
  const codeOf = (change: (bytes: Uint8Array) => void) => {
    const changed = bytes.slice();
    change(changed);
    try {
      state.loadBytes(changed);
    } catch (error) {
      return (error as TickwiseError).code;
    }
    return "loaded";
  };
  expect([
    codeOf((changed) => (changed[0] = 0)),
    codeOf((changed) => (changed[4] = 2)),
    codeOf((changed) => (changed[8]! ^= 1)),
    codeOf((changed) => (changed[40]! ^= 1)),
    codeOf(() => {}),
  ]).toEqual(["corrupt-data", "unsupported", "wrong-simulation", "corrupt-data", "loaded"]);
});
