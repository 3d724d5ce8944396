import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bool, f32, f64, i16, i32, i8, layout, namesOf, oneOf, u16, u32, u8, vec2, vec3 } from "./index.js";

const numbers = {
  f64: [f64, Float64Array],
  f32: [f32, Float32Array],
  i32: [i32, Int32Array],
  u32: [u32, Uint32Array],
  i16: [i16, Int16Array],
  u16: [u16, Uint16Array],
  i8: [i8, Int8Array],
  u8: [u8, Uint8Array],
} as const;

test.each(Object.entries(numbers))("%s holds what a typed array of it holds", (_, [field, TypedArray]) => {
  const { world } = layout({ before: field, value: field, after: field }).allocate();
  fc.assert(
    fc.property(fc.double(), (value) => {
      world.value = value;
      expect(world.value).toBe(new TypedArray([value])[0]);
    }),
  );
  expect([world.before, world.after]).toEqual([0, 0]);
});

test("a boolean is one", () => {
  const { world } = layout({ on: bool }).allocate();
  world.on = true;
  expect(world.on).toBe(true);
  world.on = !world.on;
  expect(world.on).toBe(false);
});

test("a choice is a number that its field has by name", () => {
  const Mode = oneOf("idle", "run", "jump");
  const { world } = layout({ mode: Mode }).allocate();
  world.mode = Mode.jump;
  expect([world.mode, Mode.idle, Mode.jump]).toEqual([2, 0, 2]);
  expect(namesOf(Mode)).toEqual(["idle", "run", "jump"]);
});

test("a vector is filled, and not replaced", () => {
  const { world } = layout({ at: vec3, way: vec2 }).allocate();
  world.at.set([1, 2, 3]);
  expect([...world.at, ...world.way]).toEqual([1, 2, 3, 0, 0]);
  expect(() => ((world as { at: unknown }).at = [4, 5, 6])).toThrow(TypeError);
});

test("a misspelt field cannot be written, and fields can be spread", () => {
  const { world } = layout({ player: { x: f64, on: bool } }).allocate();
  expect(() => ((world.player as { y?: number }).y = 1)).toThrow(/not extensible/);
  expect(() => ((world as unknown as { player: number }).player = 1)).toThrow(TypeError);
  expect({ ...world.player }).toEqual({ x: 0, on: false });
});

describe("what a field cannot hold is refused, and nothing is written", () => {
  const Mode = oneOf("idle", "run");
  const { world } = layout({ x: f64, n: u8, on: bool, g: { mode: Mode } }).allocate();
  const writes: [string, (value: never) => void, unknown[], RegExp][] = [
    [
      "x",
      (value) => (world.x = value),
      ["1", true, null, undefined, 1n, {}],
      /^world\.x must be a number, got /,
    ],
    ["n", (value) => (world.n = value), ["1", true, null, undefined], /^world\.n must be a number, got /],
    [
      "on",
      (value) => (world.on = value),
      [1, 0, "true", null, undefined],
      /^world\.on must be true or false, got /,
    ],
    [
      "g.mode",
      (value) => (world.g.mode = value),
      [2, -1, 0.5, NaN, "run", undefined],
      /^world\.g\.mode must be the number of one of idle, run, got .+ Try oneOf's own: Mode\.run\.$/,
    ],
  ];
  test.each(writes)("%s", (_, write, values, message) => {
    for (const value of values) expect(() => write(value as never)).toThrow(message);
    expect([world.x, world.n, world.on, world.g.mode]).toEqual([0, 0, false, 0]);
  });
});

test.each([
  ["no name", []],
  ["257 names", Array.from({ length: 257 }, (_, i) => `n${i}`)],
  ["a name twice", ["a", "b", "a"]],
  ["an empty name", [""]],
  ["a number", [1]],
  ["a list", [["a", "b"]]],
  ["what every object has", ["constructor"]],
])("oneOf refuses %s", (_, names) => {
  expect(() => oneOf(...(names as [string]))).toThrow(/^oneOf: names must be .+, got .+\. Try /);
});

test("a choice of 256 names fits", () => {
  const names = Array.from({ length: 256 }, (_, i) => `n${i}`) as [string];
  const { world } = layout({ mode: oneOf(...names) }).allocate();
  world.mode = 255 as never;
  expect(world.mode).toBe(255);
});

test.each([
  ["no field of that name", { x: f64.hermite("vx") }],
  ["no name", { x: f64.hermite(undefined as never) }],
  ["its own name", { x: f64.hermite("x") }],
  ["what every object has", { x: f64.hermite("constructor") }],
  ["another type", { x: f64.hermite("v"), v: f32 }],
  ["a number beside a vector", { x: vec2.hermite("v"), v: f64 }],
  ["a group", { x: f64.hermite("v"), v: { v: f64 } }],
  ["a field of another group", { g: { x: f64.hermite("v") }, v: f64 }],
])("a curve whose velocity is %s is refused", (_, fields) => {
  expect(() => layout(fields)).toThrow(
    /^layout: (g\.)?x\.hermite must be given the name of a field beside it/,
  );
});
