import { describe, expect, test } from "vitest";
import {
  bool,
  f32,
  f64,
  i16,
  i32,
  i8,
  layout,
  list,
  LIVE,
  oneOf,
  quat,
  table,
  u16,
  u32,
  u8,
  vec2,
} from "./index.js";
import type { Fields } from "./index.js";

test("leaves do not overlap, and large ones start at a cache line", () => {
  const { leaves, size } = layout({
    a: u8,
    b: f64,
    c: i16,
    d: f32,
    e: bool,
    f: vec2,
    g: quat,
    group: { a: i8, deep: { a: u16 } },
    rows: table(100, { a: u8, b: f64, c: { d: i16, e: list(3, u8) } }),
    list: list(7, { a: f32, b: i32 }),
    numbers: list(9, u32),
  });
  const bytes = { f64: 8, f32: 4, i32: 4, u32: 4, i16: 2, u16: 2, i8: 1, u8: 1 };
  const places = leaves
    .map(({ offset, type, stride, rows }) => ({ offset, type, bytes: bytes[type] * stride * rows }))
    .sort((a, b) => a.offset - b.offset);
  let end = 0;
  for (const place of places) {
    expect(place.offset).toBeGreaterThanOrEqual(end);
    expect(place.offset % (place.bytes < 64 ? bytes[place.type] : 64)).toBe(0);
    end = place.offset + place.bytes;
  }
  expect(size).toBeGreaterThanOrEqual(end);
  expect(size % 64).toBe(0);
});

test("floats come before integers, and areas are whole cache lines", () => {
  const { areas, leaves } = layout({ a: u8, b: f32, c: f64 });
  const at = (name: string) => leaves.find((leaf) => leaf.name === name)!.offset;
  expect(at("c")).toBeLessThan(areas.f64);
  expect(at("b")).toBe(areas.f64);
  expect(at("a")).toBeGreaterThanOrEqual(areas.f64 + areas.f32);
  expect(areas.f64 + areas.f32 + areas.int).toBe(areas.size);
});

describe("fingerprint", () => {
  const base = {
    score: u32,
    mode: oneOf("idle", "run"),
    player: { x: f64, v: f64 },
    crates: table(8, { x: f64, p: vec2 }),
    marks: list(4, u8),
  };
  const { fingerprint } = layout(base);

  const others: Record<string, Fields> = {
    name: { ...base, player: { y: f64, v: f64 } },
    order: { ...base, player: { v: f64, x: f64 } },
    type: { ...base, score: i32 },
    form: { ...base, marks: list(4, bool) },
    capacity: { ...base, crates: table(9, { x: f64, p: vec2 }) },
    length: { ...base, marks: list(5, u8) },
    "list for a vector": { ...base, crates: table(8, { x: f64, p: list(2, f64) }) },
    "choice's name": { ...base, mode: oneOf("idle", "walk") },
    "choice's order": { ...base, mode: oneOf("run", "idle") },
    "choices in one name": { ...base, mode: oneOf("idle,run") },
    "one more": { ...base, more: u8 },
    "a group for a table": { ...base, crates: { x: f64, p: vec2 } },
    "a list for a table": { ...base, crates: list(8, { x: f64, p: vec2 }) },
  };
  test.each(Object.entries(others))("changes with another %s", (_, fields) => {
    expect(layout(fields).fingerprint).not.toBe(fingerprint);
  });

  test("has 16 digits and never changes", () => {
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(layout({ ...base }).fingerprint).toBe(fingerprint);
  });

  test("does not depend on blend modes, so layouts that differ in them share states", () => {
    const marked = layout({
      ...base,
      player: { x: f64.hermite("v"), v: f64.lerp },
      crates: table(8, { x: f64.angle, p: vec2.lerp }),
    });
    expect(marked.fingerprint).toBe(fingerprint);
    const from = layout(base).allocate();
    from.world.player.x = 5;
    const to = marked.allocate();
    to.loadBytes(from.bytes());
    expect(to.world.player.x).toBe(5);
    expect(to.hash()).toEqual(from.hash());
  });
});

test("a new state is all zeros", () => {
  const { world } = layout({ x: f64, on: bool, mode: oneOf("idle", "run"), turn: quat }).allocate();
  expect([world.x, world.on, world.mode, [...world.turn]]).toEqual([0, false, 0, [0, 0, 0, 0]]);
});

test("a list in a row is a column with several numbers per row", () => {
  const { world } = layout({
    crates: table(4, { slots: list(3, u16), ways: list(2, vec2), g: { on: list(2, bool) } }),
  }).allocate();
  world.crates.add();
  world.crates.add({ slots: [1, 2, 3], ways: [1, 2, 3, 4], g: { on: [true, false] } });
  expect([...world.crates.slots]).toEqual([0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0]);
  expect([...world.crates.ways.subarray(4, 8)]).toEqual([1, 2, 3, 4]);
  expect([...world.crates.g.on.subarray(2, 4)]).toEqual([1, 0]);
  world.crates.remove(world.crates.id[1]!);
  expect(world.crates.slots.every((slot) => slot === 0)).toBe(true);
});

test("accepts groups 100 deep, and thousands of fields", () => {
  let deep: Fields = { x: f64.lerp };
  for (let i = 0; i < 100; i++) deep = { deep };
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${i}`, i % 2 ? f64.lerp : u8]));
  const state = layout({ deep, ...many }).allocate(1);
  const world = state.world as unknown as Record<string, number>;
  world["f2999"] = 2.5;
  world["f2998"] = 7;
  expect(state.diff(0, LIVE, 3).map(({ path, b }) => [path, b])).toEqual([
    ["f2998", 7],
    ["f2999", 2.5],
    ["random[0]", expect.any(Number)],
  ]);
});

test("accepts names of other alphabets, and names that states use internally", () => {
  const state = layout({ größe: f64, 日本: u8, tick: f64, random: u8, cuts: u8 }).allocate(1);
  state.save(0);
  Object.assign(state.world, { größe: 1, 日本: 2, tick: 3, random: 4, cuts: 5 });
  state.tick = 6;
  expect(state.diff(0, LIVE).map(({ path, b }) => `${path} ${b}`)).toEqual([
    "größe 1",
    "日本 2",
    "tick 3",
    "random 4",
    "cuts 5",
    "$.tick 6",
  ]);
});

describe("rejects", () => {
  const holdsItself: Record<string, unknown> = { x: f64 };
  holdsItself["self"] = holdsItself;
  const bad: [string, unknown, RegExp][] = [
    [
      "nothing",
      undefined,
      /^layout: fields must be a field, a table, a list or a group of them, got undefined/,
    ],
    ["an empty group", {}, /must be a group with at least one field/],
    ["a field alone", f64, /got a Blended/],
    ["undefined", { x: undefined }, /^layout: x must be a field/],
    ["a class", { x: Float64Array }, /^layout: x must be a field/],
    ["a typed array", { x: new Float64Array(4) }, /got a Float64Array/],
    ["an array", { x: [f64] }, /got \[\{\}\]/],
    ["a string", { g: { x: "f64" } }, /^layout: g.x must be a field, .+ got "f64"/],
    ["a group that contains itself", holdsItself, /at most 200 groups deep, got 201/],
    ["a row that contains itself", { t: table(1, holdsItself as never) }, /at most 200 groups deep/],
    [
      "a table in a row",
      { t: table(1, { u: table(1, { x: f64 }) as never }) },
      /^layout: t.u must be .+ got a TablePart/,
    ],
    ["a list of groups in a row", { t: table(1, { u: list(1, { x: f64 }) as never }) }, /got a ListPart/],
    ["a table as an element", { t: list(1, table(1, { x: f64 }) as never) }, /got a TablePart/],
    ["a field as a row", { t: table(1, f64 as never) }, /^layout: t must be/],
    ...["__proto__", "constructor", "toString", "", "a.b", "0", "1a", "a b", "$x"].map(
      (name): [string, unknown, RegExp] => [
        `the name ${name}`,
        { [name]: f64 },
        /^layout: (name must be|".+" is reserved by Object\.prototype\.)/,
      ],
    ),
    ...["id", "capacity", "count", "end", "add", "remove", "row", "clear"].map(
      (name): [string, unknown, RegExp] => [
        `a column named ${name}`,
        { t: table(1, { [name]: f64 }) },
        new RegExp(`^layout: t.${name}: "${name}" is reserved by tables. Try "${name}_".$`),
      ],
    ),
  ];
  test.each(bad)("%s", (_, fields, message) => {
    expect(() => layout(fields as Fields)).toThrow(message);
  });
});
