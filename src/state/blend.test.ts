import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hermite, lerp, lerpAngle, nlerp, slerp } from "../blend/index.js";
import { f32, f64, layout, list, LIVE, quat, table, skipBlend, u8, vec2 } from "./index.js";

const DT = 1 / 30;
const PREVIOUS = 0;
const OUT = 1;

const World = layout({
  held: f64,
  x: f64.lerp,
  turn: f64.angle,
  count: u8,
  f: f32.lerp,
  fTurn: f32.angle,
  at: vec2.lerp,
  body: {
    p: f64.hermite("v"),
    v: f64,
    deep: { p: vec2.hermite("v"), v: vec2, f: f32.hermite("fv"), fv: f32 },
  },
  q: quat.slerp,
  n: quat.nlerp,
  line: list(3, vec2.lerp),
  curve: list(2, f64.hermite("speed")),
  speed: list(2, f64),
  rows: table(20, {
    x: f64.lerp,
    v: f64,
    y: f64.hermite("v"),
    q: quat.slerp,
    hp: u8,
    g: { f: f32.lerp, l: list(2, f64.angle) },
  }),
  pair: list(2, { x: f64.lerp, hp: u8 }),
});
type World = ReturnType<typeof World.allocate>["world"];

const number = fc.double({ min: -100, max: 100, noNaN: true });
const alpha = fc.oneof(fc.constant(0.5), fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }));
const unit = fc
  .tuple(number, number, number, number)
  .map((q) => (Math.hypot(...q) > 1e-3 ? q.map((x) => x / Math.hypot(...q)) : [0, 0, 0, 1]));
const step = fc.record({
  numbers: fc.array(number, { minLength: 24, maxLength: 24 }),
  q: unit,
  n: unit,
  rows: fc.array(
    fc.record({ x: number, v: number, y: number, q: unit, f: number, l: fc.tuple(number, number) }),
    {
      maxLength: 20,
    },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function write(world: World, { numbers, q, n, rows }: Step): void {
  const next = numbers.values();
  const take = () => next.next().value as number;
  for (const name of ["held", "x", "turn", "f", "fTurn"] as const) world[name] = take();
  world.count = take();
  world.body.p = take();
  world.body.v = take();
  world.body.deep.f = take();
  world.body.deep.fv = take();
  for (const numbers of [
    world.at,
    world.body.deep.p,
    world.body.deep.v,
    world.curve,
    world.speed,
    world.pair.x,
  ])
    numbers.set([take(), take()]);
  world.line.set(numbers.slice(0, 6));
  world.q.set(q);
  world.n.set(n);
  rows.forEach((values, row) => {
    if (!(world.rows.id[row]! > 0)) return;
    world.rows.x[row] = values.x;
    world.rows.v[row] = values.v;
    world.rows.y[row] = values.y;
    world.rows.q.set(values.q, 4 * row);
    world.rows.g.f[row] = values.f;
    world.rows.g.l.set(values.l, 2 * row);
  });
}

/** The expected blend, from the functions of tickwise/blend. */
function expectBetween(out: World, a: World, b: World, t: number): void {
  const same = (drawn: ArrayLike<number> | number, wanted: number[] | number) =>
    expect(typeof drawn === "number" ? drawn : Array.from(drawn)).toEqual(wanted);
  const each = (x: ArrayLike<number>, y: ArrayLike<number>, blend: typeof lerp) =>
    Array.from(x, (_, i) => blend(x[i]!, y[i]!, t));
  const curve = (x: ArrayLike<number>, y: ArrayLike<number>, v: ArrayLike<number>, w: ArrayLike<number>) =>
    Array.from(x, (_, i) => hermite(x[i]!, y[i]!, v[i]!, w[i]!, DT, t));
  same(out.held, a.held);
  same(out.count, a.count);
  same(out.speed, [...a.speed]);
  same(out.x, lerp(a.x, b.x, t));
  same(out.turn, lerpAngle(a.turn, b.turn, t));
  same(out.f, Math.fround(lerp(a.f, b.f, t)));
  same(out.fTurn, Math.fround(lerpAngle(a.fTurn, b.fTurn, t)));
  same(out.at, each(a.at, b.at, lerp));
  same(out.line, each(a.line, b.line, lerp));
  same(out.curve, curve(a.curve, b.curve, a.speed, b.speed));
  same(out.body.p, hermite(a.body.p, b.body.p, a.body.v, b.body.v, DT, t));
  const [deepA, deepB] = [a.body.deep, b.body.deep];
  same(out.body.deep.p, curve(deepA.p, deepB.p, deepA.v, deepB.v));
  same(out.body.deep.f, Math.fround(hermite(deepA.f, deepB.f, deepA.fv, deepB.fv, DT, t)));
  same(out.q, [...slerp(new Float64Array(4), a.q, b.q, t)]);
  same(out.n, [...nlerp(new Float64Array(4), a.n, b.n, t)]);
  same(out.pair.x, each(a.pair.x, b.pair.x, lerp));
}

/** Returns all numbers of a row. */
const rowOf = ({ rows: { id, x, v, y, q, hp, g } }: World, row: number) => [
  [id[row], v[row], hp[row]],
  [x[row], y[row], g.f[row]],
  Array.from(q.subarray(4 * row, 4 * row + 4)),
  Array.from(g.l.subarray(2 * row, 2 * row + 2)),
];

/** Returns the expected numbers of a blended row. */
function rowBetween(
  { rows: a }: World,
  { rows: b }: World,
  t: number,
  row: number,
): ReturnType<typeof rowOf> {
  const four = (column: Float64Array) => column.subarray(4 * row, 4 * row + 4);
  return [
    [a.id[row], a.v[row], a.hp[row]],
    [
      lerp(a.x[row]!, b.x[row]!, t),
      hermite(a.y[row]!, b.y[row]!, a.v[row]!, b.v[row]!, DT, t),
      Math.fround(lerp(a.g.f[row]!, b.g.f[row]!, t)),
    ],
    Array.from(slerp(new Float64Array(4), four(a.q), four(b.q), t)),
    [2 * row, 2 * row + 1].map((i) => lerpAngle(a.g.l[i]!, b.g.l[i]!, t)),
  ];
}

test("blends every field by its mode, except in rows that were added, removed or skipped", () => {
  fc.assert(
    fc.property(
      step,
      step,
      alpha,
      fc.array(fc.tuple(fc.constantFrom("add", "remove", "skipBlend"), fc.nat(19)), { maxLength: 8 }),
      (first, second, t, changes) => {
        const state = World.allocate(2);
        const { world } = state;
        for (let i = 0; i < 10; i++) world.rows.add();
        write(world, first);
        state.save(PREVIOUS);
        const cuts = new Set<number>();
        for (const [kind, at] of changes) {
          let row = at;
          if (kind === "skipBlend") skipBlend(world.rows, row);
          else if (kind === "remove") world.rows.remove(world.rows.id[row]!);
          else if (world.rows.count < 20) row = world.rows.row(world.rows.add());
          if (kind !== "remove" || state.at(PREVIOUS).rows.id[row] !== world.rows.id[row]) cuts.add(row);
        }
        write(world, second);
        const before = state.hash();
        state.blend(OUT, PREVIOUS, LIVE, t, DT);
        expect(state.hash()).toEqual(before);
        const [out, previous] = [state.at(OUT), state.at(PREVIOUS)];
        expectBetween(out, previous, world, t);
        for (let row = 0; row < 20; row++)
          expect(rowOf(out, row)).toEqual(
            cuts.has(row) ? rowOf(previous, row) : rowBetween(previous, world, t, row),
          );
      },
    ),
    { numRuns: 200 },
  );
});

test("returns the states themselves at alpha 0 and 1, bit for bit", () => {
  const state = World.allocate(2);
  state.world.x = 0.1;
  state.world.turn = 100;
  state.save(PREVIOUS);
  state.world.x = 0.3;
  state.world.rows.add({ x: 5 });
  state.tick = 7;
  state.blend(OUT, PREVIOUS, LIVE, 0, DT);
  expect(state.hash(OUT)).toEqual(state.hash(PREVIOUS));
  state.blend(OUT, PREVIOUS, LIVE, 1, DT);
  expect(state.hash(OUT)).toEqual(state.hash());
});

test("blends a state with itself to that state", () => {
  const state = World.allocate(2);
  write(state.world, fc.sample(step, { numRuns: 1, seed: 4 })[0]!);
  state.save(PREVIOUS);
  state.blend(OUT, PREVIOUS, LIVE, 0.3, DT);
  expect(state.diff(OUT, LIVE).filter(({ path }) => !/^(body\.|curve)/.test(path))).toEqual([]);
});

test("keeps the previous state until alpha is 1 if no field has a blend mode", () => {
  const state = layout({ x: f64, rows: table(100, { x: f64 }) }).allocate(2);
  state.save(PREVIOUS);
  state.world.x = 1;
  state.blend(OUT, PREVIOUS, LIVE, 0.999);
  expect(state.at(OUT).x).toBe(0);
  state.blend(OUT, PREVIOUS, LIVE, 1);
  expect(state.at(OUT).x).toBe(1);
});

describe("rejects", () => {
  const state = World.allocate(2);
  test.each([
    ["an output that is also an input", () => state.blend(0, 0, LIVE, 0.5, DT), "out must be a third state"],
    ["an alpha above 1", () => state.blend(1, 0, LIVE, 1.1, DT), "alpha must be a number from 0 to 1"],
    ["NaN", () => state.blend(1, 0, LIVE, NaN, DT), "alpha must be a number from 0 to 1"],
    ["a hermite field without dt", () => state.blend(1, 0, LIVE, 0.5), "dt must be a number from 0"],
    ["a negative dt", () => state.blend(1, 0, LIVE, 0.5, -1), "dt must be a number from 0"],
    [
      "a snapshot that does not exist",
      () => state.blend(2, 0, LIVE, 0.5, DT),
      "out must be a whole number from 0 to 1",
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(`State.blend: ${message}`);
  });
});
