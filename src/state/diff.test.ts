import { expect, test } from "vitest";
import {
  bool,
  formatDifferences,
  f32,
  f64,
  layout,
  list,
  LIVE,
  oneOf,
  quat,
  table,
  u8,
  vec2,
  vec3,
} from "./index.js";

const Mode = oneOf("idle", "run");
const World = layout({
  score: u8,
  on: bool,
  mode: Mode,
  at: vec3,
  player: { deep: { turn: quat, f: f32 } },
  slots: list(3, u8),
  flags: list(2, bool),
  modes: list(2, Mode),
  path: list(2, vec2),
  crates: table(20, { vx: f64, at: vec2, g: { on: bool, l: list(2, vec2) } }),
  pair: list(2, { x: f64 }),
});
type World = ReturnType<typeof World.allocate>["world"];

function differences(change: (world: World) => void): string {
  const state = World.allocate(1);
  for (let i = 0; i < 18; i++) state.world.crates.add();
  state.save(0);
  change(state.world);
  return formatDifferences(state.diff(0, LIVE));
}

test.each<[string, (world: World) => void]>([
  ["", () => {}],
  ["score: 0 ≠ 7", (world) => (world.score = 7)],
  ["on: false ≠ true", (world) => (world.on = true)],
  ["mode: idle ≠ run", (world) => (world.mode = Mode.run)],
  ["at.z: 0 ≠ 2", (world) => (world.at[2] = 2)],
  ["player.deep.turn.w: 0 ≠ 1", (world) => (world.player.deep.turn[3] = 1)],
  ["player.deep.f: 0 ≠ -0", (world) => (world.player.deep.f = -0)],
  ["slots[2]: 0 ≠ 9", (world) => (world.slots[2] = 9)],
  ["flags[1]: false ≠ true", (world) => (world.flags[1] = 1)],
  ["modes[0]: idle ≠ run", (world) => (world.modes[0] = Mode.run)],
  ["modes[0]: idle ≠ 200", (world) => (world.modes[0] = 200 as never)],
  ["path[1].x: 0 ≠ 4", (world) => (world.path[2] = 4)],
  ["crates[17].vx: 0 ≠ NaN", (world) => (world.crates.vx[17] = NaN)],
  ["crates[3].at.y: 0 ≠ 5", (world) => (world.crates.at[7] = 5)],
  ["crates[0].g.on: false ≠ true", (world) => (world.crates.g.on[0] = 1)],
  ["crates[2].g.l[1].x: 0 ≠ 6", (world) => (world.crates.g.l[10] = 6)],
  ["pair[1].x: 0 ≠ 8", (world) => (world.pair.x[1] = 8)],
])("%s", (text, change) => {
  expect(differences(change)).toBe(text);
});

test("lists hidden bookkeeping after the fields", () => {
  const lines = differences((world) => {
    world.crates.vx[0] = 1;
    world.crates.remove(world.crates.id[0]!);
    world.pair.x[0] = 2;
  }).split("\n");
  expect(lines).toEqual([
    "pair[0].x: 0 ≠ 2",
    "crates[0].cuts so far: 1 ≠ 2",
    "crates.cuts of all rows: 18 ≠ 19",
    "crates[0].id: 1 ≠ -1",
    "crates.count: 18 ≠ 17",
    "crates.first free row: 0 ≠ 1",
  ]);
});

test("numbers the row of a table of capacity 1", () => {
  const state = layout({ only: table(1, { x: f64 }) }).allocate(1);
  state.save(0);
  state.world.only.add({ x: 1 });
  expect(state.diff(0, LIVE).map(({ path }) => path)).toEqual([
    "only[0].x",
    "only[0].cuts so far",
    "only.cuts of all rows",
    "only[0].id",
    "only.count",
    "only.end",
  ]);
});

test("treats NaN as equal to NaN, and lists at most max differences", () => {
  const state = layout({ x: f64, l: list(50, u8) }).allocate(1);
  state.world.x = NaN;
  state.save(0);
  state.world.l.fill(1);
  expect([state.diff(0, LIVE).length, state.diff(0, LIVE, 3).length]).toEqual([20, 3]);
  expect([state.diff(0, LIVE, Infinity).length, state.diff(0, LIVE, 0).length]).toEqual([50, 0]);
  expect(state.diff(LIVE, 0, 1)).toEqual([{ path: "l[0]", a: 1, b: 0 }]);
});

test("includes tick and random generator", () => {
  const state = layout({ x: f64 }).allocate(1);
  state.save(0);
  state.tick = 5;
  state.random.u32();
  const paths = state.diff(0, LIVE).map(({ path }) => path);
  expect(paths).toContain("tick");
  expect(paths).toContain("random[3]");
});

test("compares two states of one layout, and rejects another layout", () => {
  const [a, b] = [World.allocate(1), World.allocate()];
  a.world.score = 1;
  a.save(0);
  expect(b.diffFrom(a, 0)).toEqual([{ path: "score", a: 1, b: 0 }]);
  const other = layout({ score: u8 }).allocate();
  expect(() => b.diffFrom(other as never, LIVE)).toThrow(
    /^State\.diffFrom: the other state has layout .*, this one .* \(from the other to this one, .* was /,
  );
});
