import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bool,
  f32,
  f64,
  i16,
  i32,
  i8,
  layout,
  namesOf,
  oneOf,
  quat,
  u16,
  u32,
  u8,
  vec2,
  vec3,
} from "./index.js";
import { SPEC } from "./fields.js";

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

test.each(Object.entries(numbers))("%s stores numbers like its typed array", (_, [field, TypedArray]) => {
  const { world } = layout({ before: field, value: field, after: field }).allocate();
  fc.assert(
    fc.property(fc.double(), (value) => {
      world.value = value;
      expect(world.value).toBe(new TypedArray([value])[0]);
    }),
  );
  expect([world.before, world.after]).toEqual([0, 0]);
});

test("bool reads and writes booleans", () => {
  const { world } = layout({ on: bool }).allocate();
  world.on = true;
  expect(world.on).toBe(true);
  world.on = !world.on;
  expect(world.on).toBe(false);
});

test("a choice has its values as properties", () => {
  const Mode = oneOf("idle", "run", "jump");
  const { world } = layout({ mode: Mode }).allocate();
  world.mode = Mode.jump;
  expect([world.mode, Mode.idle, Mode.jump]).toEqual([2, 0, 2]);
  expect(namesOf(Mode)).toEqual(["idle", "run", "jump"]);
});

test("a vector can be filled, but not replaced", () => {
  const { world } = layout({ at: vec3, way: vec2 }).allocate();
  world.at.set([1, 2, 3]);
  expect([...world.at, ...world.way]).toEqual([1, 2, 3, 0, 0]);
  expect(() => ((world as { at: unknown }).at = [4, 5, 6])).toThrow(TypeError);
});

test("writing a misspelt field throws, and fields can be spread", () => {
  const { world } = layout({ player: { x: f64, on: bool } }).allocate();
  expect(() => ((world.player as { y?: number }).y = 1)).toThrow(/not extensible/);
  expect(() => ((world as unknown as { player: number }).player = 1)).toThrow(TypeError);
  expect({ ...world.player }).toEqual({ x: 0, on: false });
});

describe("rejects wrong values without writing them", () => {
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
      /^world\.g\.mode must be a value of oneOf\("idle", "run"\), got .+ Try a constant of the choice, such as Mode\.run\.$/,
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
  ["an array", [["a", "b"]]],
  ["a name of Object.prototype", ["constructor"]],
])("oneOf rejects %s", (_, names) => {
  expect(() => oneOf(...(names as [string]))).toThrow(
    /^oneOf: (names must be .+, got .+\. Try|"a" is given twice\.|"constructor" is reserved by Object\.prototype\.)/,
  );
});

test("a choice can have 256 names", () => {
  const names = Array.from({ length: 256 }, (_, i) => `n${i}`) as [string];
  const { world } = layout({ mode: oneOf(...names) }).allocate();
  world.mode = 255 as never;
  expect(world.mode).toBe(255);
});

test.each([
  ["missing", { x: f64.hermite("vx") }],
  ["not named", { x: f64.hermite(undefined as never) }],
  ["the field itself", { x: f64.hermite("x") }],
  ["a name of Object.prototype", { x: f64.hermite("constructor") }],
  ["of another type", { x: f64.hermite("v"), v: f32 }],
  ["a number for a vector", { x: vec2.hermite("v"), v: f64 }],
  ["a group", { x: f64.hermite("v"), v: { v: f64 } }],
  ["a field of another group", { g: { x: f64.hermite("v") }, v: f64 }],
])("hermite rejects a velocity that is %s", (_, fields) => {
  expect(() => layout(fields)).toThrow(
    /^layout: (g\.)?x\.hermite must be the name of a field of the same type in the same group/,
  );
});

test("oneOf and layout reject reserved names", () => {
  expect(() => oneOf("idle", "toString")).toThrow(
    expect.objectContaining({
      code: "in-use",
      message: 'oneOf: "toString" is reserved by Object.prototype. Try "toString_".',
    }),
  );
  expect(() => layout({ valueOf: f64 })).toThrow(
    expect.objectContaining({
      code: "in-use",
      message: 'layout: "valueOf" is reserved by Object.prototype. Try "valueOf_".',
    }),
  );
});

describe("marks for snapshots", () => {
  test("keep the class of a field, so that marks can be chained in any order", () => {
    const fields = {
      a: f64.quantize(1 / 512).lerp,
      b: f64.lerp.quantize(1 / 512),
      c: quat.slerp.quantize(9).secret,
      d: f32.angle.secret.allowNonFinite,
    };
    expect(fields.a[SPEC]).toMatchObject({ blendMode: "lerp", quantum: 1 / 512 });
    expect(fields.b[SPEC]).toMatchObject({ blendMode: "lerp", quantum: 1 / 512 });
    expect(fields.c[SPEC]).toMatchObject({ blendMode: "slerp", quantum: 9, isSecret: true });
    expect(fields.d[SPEC]).toMatchObject({ blendMode: "angle", nonFinite: true, isSecret: true });
  });

  test("a secret choice keeps its values, and no name may hide the mark", () => {
    const Mode = oneOf("idle", "run");
    expect(Mode.secret.run).toBe(Mode.run);
    expect(Mode.secret[SPEC].names).toEqual(["idle", "run"]);
    expect(() => oneOf("public", "secret")).toThrow('"secret" is reserved by fields');
  });

  test.each([0, -1, NaN, Infinity, "1" as unknown as number])("a step of %s is refused", (step) => {
    expect(() => f64.quantize(step)).toThrow("quantize: step must be a positive number");
    expect(() => quat.quantize(step)).toThrow("quat.quantize: bits must be a whole number from 2 to 20");
  });
});
