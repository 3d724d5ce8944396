// If the layout changes without a new version, errors say which fields differ.
import { describe, expect, test } from "vitest";
import { readReplay, record, replayPlayer, verify } from "../../src/replay/index.js";
import { axis, button, localSession, simulation } from "../../src/sim/index.js";
import { bool, f32, f64, layout, list, oneOf, table, u8, vec2, type Fields } from "../../src/state/index.js";

const FIELDS = {
  score: f64,
  over: bool,
  wind: vec2,
  mode: oneOf("idle", "run"),
  hero: { hp: f64, mana: f64 },
  crates: table(100, { x: f64.lerp, kind: u8 }),
  tiles: list(8, u8),
};

const gameOf = (fields: Fields, more: object = {}) =>
  simulation({
    name: "drift",
    version: 3,
    rate: 60,
    input: { jump: button },
    state: layout(fields),
    step() {},
    ...more,
  });

const without = (name: string) =>
  Object.fromEntries(Object.entries(FIELDS).filter(([other]) => other !== name)) as Fields;

const CHANGES: [string, Fields, string][] = [
  ["another type", { ...FIELDS, score: f32 }, "score was f64 and is f32"],
  ["one more field", { ...FIELDS, lives: u8 }, "lives (u8) was added"],
  ["one field less", without("over"), "over (bool) was removed"],
  [
    "another name",
    { ...FIELDS, hero: { hp: f64, magic: f64 } },
    "hero.mana (f64) was removed; hero.magic (f64) was added",
  ],
  [
    "a larger table",
    { ...FIELDS, crates: table(200, { x: f64, kind: u8 }) },
    "crates.x was f64 × 100 and is f64 × 200; crates.kind was u8 × 100 and is u8 × 200",
  ],
  ["a longer list", { ...FIELDS, tiles: list(9, u8) }, "tiles was list(8, u8) and is list(9, u8)"],
  [
    "another name in oneOf",
    { ...FIELDS, mode: oneOf("idle", "walk") },
    "mode was oneOf(idle, run) and is oneOf(idle, walk)",
  ],
  [
    "another order",
    (({ score, ...rest }) => ({ ...rest, score }))(FIELDS),
    "over is now declared before score",
  ],
  [
    "a group instead of a field",
    { ...FIELDS, score: { now: f64 } },
    "score (f64) was removed; score.now (f64) was added",
  ],
  [
    "many fields",
    { ...FIELDS, ...Object.fromEntries([..."abcdefgh"].map((name) => [name, u8])) },
    "a (u8) was added; b (u8) was added; c (u8) was added; d (u8) was added; e (u8) was added; and 3 more",
  ],
];

describe("a layout that changed without a new version names the fields that differ", () => {
  const before = gameOf(FIELDS);
  const session = localSession(before);
  const recorder = record(session);
  session.skip(10);

  test.each(CHANGES)("%s, in saved bytes", (_, fields, changes) => {
    const other = localSession(gameOf(fields));
    const hash = other.hash().join();
    expect(() => other.load(session.bytes())).toThrow(
      `Session.load: the layout of "drift" changed, but not its version, 3: ${changes}. Use the build that saved it`,
    );
    expect(other.hash().join()).toBe(hash);
  });

  test.each(CHANGES)("%s, in a replay", (_, fields, changes) => {
    const replay = readReplay(recorder.bytes());
    for (const [call, open] of [
      ["replayPlayer", () => replayPlayer(gameOf(fields), replay)],
      ["verify", () => verify(gameOf(fields), replay)],
    ] as const)
      expect(open).toThrow(`${call}: the layout of "drift" changed, but not its version, 3: ${changes}.`);
  });

  test.each([
    ["rate", { rate: 30 }, "rate was 60/1 and is 30/1"],
    ["players", { players: 2 }, "players was 1 and is 2"],
    ["inputs", { input: { jump: button, walk: axis(8) } }, "inputs was"],
  ])("another %s, in saved bytes", (_, more, changes) => {
    expect(() => localSession(gameOf(FIELDS, more)).load(session.bytes())).toThrow(changes);
  });

  test("other inputs, in a replay", () => {
    const other = gameOf(FIELDS, { input: { duck: button } });
    expect(() => replayPlayer(other, readReplay(recorder.bytes()))).toThrow(
      "replayPlayer: the recording and the simulation differ in inputs: jump,button ≠ duck,button.",
    );
  });

  test("lerp and allowNonFinite are not changes", () => {
    const marked = { ...FIELDS, score: f64.lerp.allowNonFinite };
    localSession(gameOf(marked)).load(session.bytes());
    expect(verify(gameOf(marked), readReplay(recorder.bytes())).ok).toBe(true);
  });

  test("a layout with too many fields for the metadata is recorded without them", () => {
    const many = Object.fromEntries(
      Array.from({ length: 4000 }, (_, i) => [`a_field_with_a_long_name_${i}`, u8]),
    );
    const large = localSession(gameOf(many));
    const bytes = record(large).bytes();
    expect(readReplay(bytes).info.state).toBeUndefined();
    expect(() => replayPlayer(gameOf({ ...many, more: u8 }), readReplay(bytes))).toThrow(
      "replayPlayer: the recording and the simulation differ in fingerprint: ",
    );
  });
});
