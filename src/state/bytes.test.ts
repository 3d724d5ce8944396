import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

test("what was written is read, tick and chance included", () => {
  const from = filled();
  const to = World.allocate();
  to.loadBytes(from.bytes());
  expect(to.toJSON()).toEqual(from.toJSON());
  expect([to.tick, to.hash(), to.random.u32()]).toEqual([12, from.hash(), from.random.u32()]);
  expect(to.world.crates.row(to.world.crates.add())).toBe(1);
});

test("snapshots are written and read too", () => {
  const state = filled();
  state.save(0);
  state.world.score = 8;
  state.loadBytes(state.bytes(0), 1);
  expect([state.world.score, state.at(1).score]).toEqual([8, 7]);
  expect(state.diff(0, 1)).toEqual([]);
});

test("bytes may begin anywhere, and are a copy", () => {
  const from = filled();
  const bytes = from.bytes();
  from.world.score = 9;
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const to = World.allocate();
  to.loadBytes(shifted.subarray(3));
  expect(to.world.score).toBe(7);
});

/** With what words bytes are refused; nothing may change by it. */
function refusal(bytes: Uint8Array): string {
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

/** The same bytes with the hash that they should have. */
function rehashed(bytes: Uint8Array): Uint8Array {
  const [, first = "", second = ""] = /the hash of the rest, (.{8})(.{8})/.exec(refusal(bytes))!;
  const view = new DataView(bytes.buffer);
  view.setUint32(20, parseInt(first, 16), true);
  view.setUint32(24, parseInt(second, 16), true);
  return bytes;
}

describe("what is not whole, or of something else, is refused", () => {
  const good = filled().bytes();
  const at = (byte: number, value: number) => Uint8Array.from(good, (old, i) => (i === byte ? value : old));
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "bytes must be a Uint8Array"],
    ["a list", [...good], "bytes must be a Uint8Array"],
    ["a buffer", good.buffer, "bytes must be a Uint8Array"],
    ["no bytes", new Uint8Array(0), "bytes must be at least 28 bytes, got 0"],
    ["half a head", good.subarray(0, 27), "bytes must be at least 28 bytes, got 27"],
    ["only a head", good.subarray(0, 28), `bytes must be ${good.length} bytes long, got 28`],
    ["a byte less", good.subarray(0, -1), `bytes must be ${good.length} bytes long, got ${good.length - 1}`],
    ["a byte more", Uint8Array.of(...good, 0), `bytes must be ${good.length} bytes long`],
    ["another magic", at(0, 0), 'bytes 0 to 3 must be TWSS, got "53535700"'],
    ["another version", at(4, 2), "bytes 4 to 7 must be version 1, got 2"],
    ["another size", at(16, 1), `bytes 16 to 19 must be a size of ${good.length - HEAD}`],
    ["another hash", at(20, good[20]! ^ 1), "bytes 20 to 27 must be the hash of the rest"],
    [
      "another layout",
      layout({ score: u8 }).allocate().bytes(),
      `bytes 8 to 15 must be of the layout ${World.fingerprint}`,
    ],
  ])("%s", (_, bytes, message) => {
    expect(refusal(bytes as Uint8Array)).toContain(`State.loadBytes: ${message}`);
  });
});

test("20,000 changes of bytes are all refused", () => {
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
        // Two changes may undo one another.
        fc.pre(length !== null || bytes.some((byte, i) => byte !== good[i]));
        expect(() => state.loadBytes(bytes)).toThrow(/^State\.loadBytes: .+ must be .+, got .+\. Try /s);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(state.hash()).toEqual(hash);
});

describe("a hash that was forged does not hide what a step cannot have left", () => {
  const leafOf = (name: string) => World.leaves.find((leaf) => leaf.hidden && leaf.name === name)!.offset;
  const { tick, random } = World.own;

  function forged(offset: number, value: number, type: "u32" | "f64") {
    const bytes = filled().bytes();
    const view = new DataView(bytes.buffer);
    if (type === "f64") view.setFloat64(HEAD + offset, value, true);
    else view.setUint32(HEAD + offset, value, true);
    return rehashed(bytes);
  }

  const table = /^State\.loadBytes: table crates must be rows that add and remove can leave/;
  test.each<[string, number, number, "u32" | "f64", RegExp]>([
    ["a tick below 0", tick.offset, -1, "f64", /^State\.loadBytes: tick must be a whole number/],
    ["half a tick", tick.offset, 0.5, "f64", /^State\.loadBytes: tick must be a whole number/],
    ["no tick", tick.offset, NaN, "f64", /^State\.loadBytes: tick must be a whole number/],
    ["another count", leafOf("count"), 3, "u32", table],
    ["an end that is too low", leafOf("end"), 2, "u32", table],
    ["an end that is too high", leafOf("end"), 4, "u32", table],
    ["an end beyond the table", leafOf("end"), 2 ** 32 - 1, "u32", table],
    ["a free list that is cut", leafOf("first free row"), 0, "u32", table],
    ["a free list that leads to a row", leafOf("first free row"), 1, "u32", table],
    ["a free list that leads out", leafOf("first free row"), 5, "u32", table],
    ["a free list that leads far out", leafOf("first free row"), 2 ** 32 - 1, "u32", table],
    ["a free list that leads back", leafOf("next free row") + 4, 2, "u32", table],
    ["a free list that goes on to a row", leafOf("next free row") + 4, 3, "u32", table],
    ["a free list in a row that is there", leafOf("next free row"), 2, "u32", table],
    ["an id of another row", leafOf("id"), 2, "f64", table],
    ["an id that was removed", leafOf("id"), -1, "f64", table],
    ["a free row with an id", leafOf("id") + 8, 2, "f64", table],
    ["half an id", leafOf("id"), 1.5, "f64", table],
    ["no id", leafOf("id"), NaN, "f64", table],
    ["an endless id", leafOf("id"), Infinity, "f64", table],
    ["no id before the end", leafOf("id"), 0, "f64", table],
    ["an id after the end", leafOf("id") + 24, 4, "f64", table],
  ])("%s", (_, offset, value, type, message) => {
    expect(refusal(forged(offset, value, type))).toMatch(message);
  });

  test("chance that was never seeded", () => {
    const bytes = filled().bytes();
    bytes.fill(0, HEAD + random.offset, HEAD + random.offset + 16);
    expect(refusal(rehashed(bytes))).toMatch(/^State\.loadBytes: random must be seeded/);
  });
});
