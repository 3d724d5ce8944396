import { expect, test } from "vitest";
import { scalar, shift, smooth, smoothColumns, teleport } from "../blend/index.js";
import { Loop } from "../index.js";
import { f64, layout, list, LIVE, table, skipBlend } from "./index.js";

const World = layout({
  x: f64.lerp,
  player: { x: f64.lerp, hat: { x: f64.lerp } },
  crates: table(4, { x: f64.lerp, g: { y: f64.lerp } }),
  lamps: list(3, { x: f64.lerp }),
});
type World = ReturnType<typeof World.allocate>["world"];

/** Moves everything from 0 to 1, and returns the blend at alpha 0.5. */
function halfway(during: (world: World) => void) {
  const state = World.allocate(2);
  const { world } = state;
  for (let i = 0; i < 3; i++) world.crates.add();
  state.save(0);
  world.x = world.player.x = world.player.hat.x = 1;
  world.crates.x.fill(1, 0, 3);
  world.crates.g.y.fill(1, 0, 3);
  world.lamps.x.fill(1);
  during(world);
  state.blend(1, 0, LIVE, 0.5);
  const out = state.at(1);
  return {
    x: out.x,
    player: out.player.x,
    hat: out.player.hat.x,
    crates: [...out.crates.x.subarray(0, 3)],
    ys: [...out.crates.g.y.subarray(0, 3)],
    lamps: [...out.lamps.x],
  };
}

const half = [0.5, 0.5, 0.5];
const moved = { x: 0.5, player: 0.5, hat: 0.5, crates: half, ys: half, lamps: half };

test("without a skip, everything is blended", () => {
  expect(halfway(() => {})).toEqual(moved);
});

test("skips a group with everything in it", () => {
  expect(halfway((world) => skipBlend(world.player))).toEqual({ ...moved, player: 0, hat: 0 });
  expect(halfway((world) => skipBlend(world.player.hat))).toEqual({ ...moved, hat: 0 });
});

test("skips a single row with all its fields", () => {
  const crates = [0.5, 0, 0.5];
  expect(halfway((world) => skipBlend(world.crates, 1))).toEqual({ ...moved, crates, ys: crates });
  expect(halfway((world) => skipBlend(world.crates.g, 1))).toEqual({ ...moved, crates, ys: crates });
  expect(halfway((world) => skipBlend(world.lamps, 2))).toEqual({ ...moved, lamps: [0.5, 0.5, 0] });
});

test("skips all rows of a table or a list", () => {
  const none = [0, 0, 0];
  expect(halfway((world) => skipBlend(world.crates))).toEqual({ ...moved, crates: none, ys: none });
  expect(halfway((world) => skipBlend(world.lamps))).toEqual({ ...moved, lamps: none });
});

test("skips the whole world", () => {
  const none = [0, 0, 0];
  expect(halfway((world) => skipBlend(world))).toEqual({
    x: 0,
    player: 0,
    hat: 0,
    crates: none,
    ys: none,
    lamps: none,
  });
});

test("a skip affects only one step, and is part of the state", () => {
  const state = World.allocate(2);
  const before = state.hash();
  skipBlend(state.world.player);
  expect(state.hash()).not.toEqual(before);
  state.save(0);
  state.world.player.x = 1;
  state.blend(1, 0, LIVE, 0.5);
  expect(state.at(1).player.x).toBe(0.5);
});

test.each([
  ["nothing", undefined, undefined, "part must be a world, or a group, table, list or row of one"],
  ["a number", 1, undefined, "part must be a world, or a group, table, list or row of one"],
  ["another object", {}, undefined, "part must be a world, or a group, table, list or row of one"],
  [
    "a column",
    World.allocate().world.crates.x,
    undefined,
    "part must be a world, or a group, table, list or row of one",
  ],
  ["a row of a group", World.allocate().world.player, 0, "row must be omitted for a group"],
  ["a row beyond the end", World.allocate().world.crates, 4, "row must be below 4"],
  ["a removed id's row", World.allocate().world.crates, -1, "row must be a whole number, 0 or more"],
  ["a fraction", World.allocate().world.lamps, 0.5, "row must be a whole number"],
])("rejects %s", (_, part, row, message) => {
  expect(() => skipBlend(part as object, row)).toThrow(`skipBlend: ${message}`);
});

test("teleport and shift of tickwise/blend reject parts of a world, and suggest skipBlend", () => {
  for (const kernels of ["js", "wasm"] as const) {
    const state = World.allocate(1, { kernels });
    for (const { player, crates, lamps } of [state.world, state.at(0)])
      for (const part of [player, player.hat, crates, crates.g, lamps, crates.x, lamps.x]) {
        const message =
          /the object is part of a simulation's world\. Call skipBlend\(part\) of tickwise\/state/;
        expect(() => teleport(part)).toThrow(message);
        expect(() => teleport(part, 0)).toThrow(message);
        expect(() => shift(part as { x?: number }, { x: 1 })).toThrow(message);
      }
    expect(() => teleport(state.world)).toThrow(/skipBlend/);
    expect(state.diff(0, LIVE).filter(({ path }) => !path.startsWith("random"))).toEqual([]);
  }
});

test("a part of a world that smooth shows can be teleported", () => {
  const { world } = World.allocate();
  let steps = 0;
  const loop = new Loop({
    rate: 10,
    step() {
      world.player.x = world.crates.x[0] = 100 * ++steps;
      if (steps === 1) return;
      teleport(world.player);
      teleport(world.crates, 0);
    },
  });
  const view = smooth(loop, world.player, { x: scalar });
  const views = smoothColumns(loop, world.crates, { x: scalar });
  loop.advance(0.15);
  expect([view.x, views.x[0]]).toEqual([50, 50]);
  loop.advance(0.1);
  expect([view.x, views.x[0]]).toEqual([200, 200]);
});

test("skipBlend rejects objects that smooth shows, and suggests teleport", () => {
  const loop = new Loop({ rate: 10 });
  const ship = { x: 0 };
  const columns = { x: new Float64Array(2) };
  const objects = [ship, smooth(loop, ship, { x: scalar }), columns, columns.x];
  for (const object of [...objects, smoothColumns(loop, columns, { x: scalar })])
    expect(() => skipBlend(object)).toThrow(/^skipBlend: part must be .* Try .* teleport of tickwise\/blend/);
});
