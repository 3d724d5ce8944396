import { describe, expect, test } from "vitest";
import { bool, f32, f64, i16, layout, list, oneOf, quat, table, u8, vec2, vec3 } from "../state/index.js";
import { guard, localSession, simulation, syncTest } from "./index.js";

const Mode = oneOf("idle", "run");
const state = layout({
  x: f64,
  small: f32,
  wind: vec3,
  best: f64.allowNonFinite,
  hero: { speed: f64.lerp.allowNonFinite, hp: f64, mode: Mode },
  crates: table(8, { x: f64.lerp, turn: quat.slerp, worn: f32, kind: u8, open: bool, mode: Mode }),
  goals: list(2, { at: vec2, n: i16 }),
  tiles: list(4, f64),
});
type TestWorld = Parameters<Parameters<typeof simulation<(typeof state)["fields"]>>[0]["step"]>[0];

/** A game that does something in the step of tick 3. */
const doing = (act: (world: TestWorld) => void, at = 3) =>
  simulation({
    name: "finite",
    version: 1,
    rate: 60,
    state,
    init(world) {
      world.best = Infinity;
      world.crates.add({ x: 1 });
      world.crates.add({ x: 2 });
      if (at < 0) act(world);
    },
    step(world, _, { tick }) {
      world.x += 1;
      if (tick === at) act(world);
    },
  });

const run = (game: ReturnType<typeof doing>, ticks = 10) => {
  const session = localSession(game, { guard: guard() });
  for (let i = 0; i < ticks; i++) session.advance();
  return session;
};

const WRITES: [string, string, number, (world: TestWorld) => void][] = [
  ["a number", "x", NaN, (world) => void (world.x = 0 / 0)],
  ["a small float", "small", Infinity, (world) => void (world.small = 1e300)],
  ["a group's number", "hero.hp", -Infinity, (world) => void (world.hero.hp = -1 / 0)],
  ["an axis of a vector", "wind.z", NaN, (world) => void (world.wind[2] = NaN)],
  ["a row of a table", "crates[1].x", NaN, ({ crates }) => void (crates.x[1] = NaN)],
  ["an axis of a row", "crates[1].turn.w", Infinity, ({ crates }) => void (crates.turn[7] = Infinity)],
  ["a row that is added", "crates[2].worn", NaN, ({ crates }) => void crates.add({ worn: NaN })],
  ["a row of a list", "goals[1].at.x", NaN, ({ goals }) => void (goals.at[2] = NaN)],
  ["an element of a list", "tiles[3]", NaN, ({ tiles }) => void (tiles[3] = NaN)],
];

describe("NaN and Infinity", () => {
  test.each(WRITES)("in %s are found by the sync test, with tick and field", (_, path, value, act) => {
    const result = syncTest(doing(act), { ticks: 20 });
    expect(result).toMatchObject({
      ok: false,
      tick: 4,
      against: "finite numbers",
      differences: [{ path, a: "a finite number", b: value }],
    });
    expect(result.message).toMatch(
      new RegExp(
        `^syncTest: finite: ${path.replace(/[[.\]]/g, "\\$&")} is ${value} after the step of tick 3\\.`,
      ),
    );
  });

  test.each(WRITES)("in %s are found by the guard, and the step is undone", (_, path, value, act) => {
    const session = localSession(doing(act), { guard: guard() });
    for (let i = 0; i < 3; i++) session.advance();
    const before = session.hash().join();
    expect(() => session.advance()).toThrow(
      `Simulation: ${path} is ${value} after the step of tick 3. Look for`,
    );
    expect([session.tick, session.hash().join()]).toEqual([3, before]);
  });

  test("written by init are found too", () => {
    const game = doing((world) => void (world.tiles[1] = NaN), -1);
    expect(() => run(game)).toThrow("Simulation: tiles[1] is NaN after init.");
    expect(syncTest(game)).toMatchObject({ ok: false, tick: 0 });
  });

  test("are all named by the sync test", () => {
    const { message } = syncTest(doing((world) => void world.wind.fill(NaN)));
    expect(message).toMatch(/wind\.x is NaN after .*\nwind\.y: NaN\nwind\.z: NaN$/);
  });

  test("are accepted in fields that allow them, in free rows and without a guard", () => {
    const fine = doing(({ hero, crates }) => {
      hero.speed = NaN;
      crates.x[7] = NaN;
      crates.remove(crates.id[0]!);
      crates.x[0] = Infinity;
    });
    expect(syncTest(fine, { guard: guard() }).message).toBe("");
    expect(run(fine).world.hero.speed).toBe(NaN);
    const session = localSession(doing((world) => void (world.x = NaN)));
    for (let i = 0; i < 10; i++) session.advance();
    expect(session.world.x).toBe(NaN);
  });

  test("allowNonFinite does not change the layout, and can come before or after a mark", () => {
    const plain = layout({ a: f64.lerp, b: quat.slerp, c: f32.angle, d: vec2, v: f64, p: f64.hermite("v") });
    const free = layout({
      a: f64.allowNonFinite.lerp,
      b: quat.slerp.allowNonFinite,
      c: f32.allowNonFinite.angle,
      d: vec2.allowNonFinite,
      v: f64.allowNonFinite,
      p: f64.hermite("v").allowNonFinite,
    });
    expect([free.fingerprint, free.size]).toEqual([plain.fingerprint, plain.size]);
    const states = [plain, free].map((each) => each.allocate(3));
    for (const { world } of states) world.d[1] = Infinity;
    expect(states[0]!.nonFinite(9)).toEqual([{ path: "d.y", value: Infinity }]);
    expect(states[1]!.nonFinite(9)).toEqual([]);
  });
});

describe("the guard refuses values in a column that are not numbers", () => {
  const WRONG: [string, string, (world: TestWorld) => void][] = [
    [
      "a text",
      'world.crates[1].x must be a number, got "left"',
      ({ crates }) => void (crates.x[1] = "left" as never),
    ],
    [
      "a text of digits",
      'world.crates[0].kind must be a number, got "5"',
      ({ crates }) => void (crates.kind[0] = "5" as never),
    ],
    [
      "a text in whole numbers",
      'world.goals[1].n must be a number, got "x"',
      ({ goals }) => void (goals.n[1] = "x" as never),
    ],
    [
      "nothing",
      "world.tiles[2] must be a number, got undefined",
      ({ tiles }) => void (tiles[2] = undefined as never),
    ],
    ["null", "world.wind.y must be a number, got null", ({ wind }) => void (wind[1] = null as never)],
    ["true", "world.wind.y must be a number, got true", ({ wind }) => void (wind[1] = true as never)],
    [
      "an object",
      "world.crates[1].turn.x must be a number, got {}",
      ({ crates }) => void (crates.turn[4] = {} as never),
    ],
    [
      "a text for a boolean",
      'world.crates[1].open must be true or false, got "no"',
      ({ crates }) => void (crates.open[1] = "no" as never),
    ],
    [
      "a name for a choice",
      'world.crates[1].mode must be a value of oneOf("idle", "run")',
      ({ crates }) => void (crates.mode[1] = "run" as never),
    ],
    [
      "no number of a choice",
      'world.crates[1].mode must be a value of oneOf("idle", "run")',
      ({ crates }) => void (crates.mode[1] = 2 as never),
    ],
    [
      "a text by fill",
      'world.tiles[1] must be a number, got "a"',
      ({ tiles }) => void tiles.fill("a" as never, 1),
    ],
    [
      "a text by set",
      'world.tiles[3] must be a number, got "a"',
      ({ tiles }) => void tiles.set([1, "a" as never], 2),
    ],
    [
      "a text by subarray",
      'world.crates[2].turn.y must be a number, got "a"',
      ({ crates }) => void (crates.turn.subarray(4).subarray(4, 8)[1] = "a" as never),
    ],
  ];
  test.each(WRONG)("%s", (_, message, act) => {
    const session = localSession(doing(act), { guard: guard() });
    for (let i = 0; i < 3; i++) session.advance();
    const before = session.hash().join();
    expect(() => session.advance()).toThrow(message);
    expect([session.tick, session.hash().join()]).toEqual([3, before]);
    expect(() => localSession(doing(act, -1), { guard: guard() })).toThrow(message);
  });

  test("and otherwise columns work as without a guard", () => {
    const act = ({ crates, tiles, wind, goals }: TestWorld) => {
      crates.open[0] = true as never;
      crates.open[1] = 1;
      crates.kind[0] = 300;
      crates.kind[1] = 2.75;
      crates.mode[1] = Mode.run!;
      tiles.set([3, 1, 2, 0]);
      tiles.sort();
      tiles.set(tiles.subarray(2), 0);
      tiles.copyWithin(3, 0, 1).reverse();
      wind.set(new Float64Array([1, 2, 3]));
      for (const [i, value] of wind.entries()) wind[i] = value * 2;
      crates.turn.subarray(4, 8).set([0, 0, 0, 1]);
      goals.n.fill(-5);
      goals.at[0] =
        tiles.length + wind.reduce((a, b) => a + b) + [...tiles].length + Float64Array.from(wind)[1]!;
      if (!(tiles instanceof Float64Array) || tiles.constructor !== Float64Array)
        throw new Error("another class");
      if (Object.keys(tiles).join() !== "0,1,2,3" || !(2 in tiles)) throw new Error("other keys");
    };
    const plain = localSession(doing(act));
    const guarded = localSession(doing(act), { guard: guard() });
    for (let i = 0; i < 10; i++) {
      plain.advance();
      guarded.advance();
    }
    expect(guarded.toJSON()).toEqual(plain.toJSON());
    expect(guarded.hash()).toEqual(plain.hash());
  });

  test("in a large state, only if they become NaN", () => {
    const large = simulation({
      name: "large",
      version: 1,
      rate: 60,
      state: layout({ cells: list(10_000, f64) }),
      step({ cells }, _, { tick }) {
        if (tick === 3) cells[tick] = "five" as never;
      },
    });
    const session = localSession(large, { guard: guard() });
    expect(() => {
      for (let i = 0; i < 10; i++) session.advance();
    }).toThrow("cells[3] is NaN after the step of tick 3");
  });

  test("init and all steps get the same parts of the world, which they may keep", () => {
    for (const length of [10, 10_000]) {
      const seen = new Set<unknown>();
      const session = localSession(
        simulation({
          name: "same",
          version: 1,
          rate: 60,
          state: layout({ place: { x: f64 }, cells: list(length, f64), rows: table(2, { at: { x: f64 } }) }),
          init: ({ place, cells, rows }) =>
            void seen.add(place).add(cells).add(rows).add(rows.at).add(rows.at.x),
          step: ({ place, cells, rows }) =>
            void seen.add(place).add(cells).add(rows).add(rows.at).add(rows.at.x),
        }),
        { guard: guard() },
      );
      for (let i = 0; i < 10; i++) session.advance();
      expect(seen.size).toBe(5);
    }
  });
});
