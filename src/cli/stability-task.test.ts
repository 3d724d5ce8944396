import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { beforeAll, describe, expect, test } from "vitest";
import { stableRate } from "../integrate/index.js";
import { rapier } from "../rapier/index.js";
import { axis, button, simulation, type Simulation } from "../sim/index.js";
import { f64, layout, table, u32 } from "../state/index.js";
import { findStability, type StabilityTask } from "./stability-task.js";
import { limitText, rungText } from "./stability-text.js";
import { watched } from "./watch.js";

const TASK: StabilityTask = {
  kind: "stability",
  rates: [],
  seconds: 10,
  seed: undefined,
  isIdle: false,
  field: undefined,
  energy: undefined,
  min: undefined,
  max: undefined,
  factor: 10,
};
/** Wrapped, as the command line does it. */
const find = (game: Simulation, task: Partial<StabilityTask> = {}) =>
  findStability({ ...TASK, ...task }, watched(game, new Float64Array(4), ""));

/** A body on a spring, integrated by semi-implicit Euler. */
const bridge = (stiffness: number, damping = 0, rate: number | [number, number] = 60) =>
  simulation({
    name: "bridge",
    version: 1,
    rate,
    state: layout({ x: f64, v: f64, steps: u32 }),
    init(world) {
      world.x = 1;
    },
    step(world, _, { dt }) {
      world.v += (-stiffness * world.x - damping * world.v) * dt;
      world.x += world.v * dt;
      world.steps += 1;
    },
  });

describe("a spring", () => {
  test.each([
    [1000, 0],
    [4000, 0],
    [4000, 40],
    [9000, 12],
  ])("of stiffness %d and damping %d is stable from the rate that stableRate gives", (stiffness, damping) => {
    const limit = stableRate("semiImplicitEuler", { stiffness, damping });
    const { stableFrom, unstable, rungs } = find(bridge(stiffness, damping));
    expect(rungs.map(({ rate }) => rate)).toEqual([240, 120, 60, 30, 20, 15]);
    expect(rungs.map(({ isStable }) => isStable)).toEqual(rungs.map(({ rate }) => rate > limit));
    expect(stableFrom).toBe(Math.ceil(limit));
    expect(unstable!.rate).toBe(Math.ceil(limit) - 1);
  });

  test("in bounds at all rates", () => {
    const found = find(bridge(100));
    expect(rungText({ ...found.rungs[0]!, name: "x", value: -2 }, 60)).toBe("x down to -2");
    expect([found.stableFrom, found.unstable]).toEqual([15, undefined]);
    expect(limitText(found)).toBe("In bounds at all rates, from 15 steps per second on.");
  });

  test("out of bounds at all rates but the one that sets the bounds: the text says so", () => {
    // It explodes slowly at 120, faster at 119.
    const found = find(bridge(58_000), { rates: [120, 60] });
    expect([found.stableFrom, found.unstable!.rate]).toEqual([120, 119]);
    expect(limitText(found)).toMatch(/Only the highest rate is in bounds, and it sets them\./);
  });

  test("a declared rate that is no whole number", () => {
    const { rungs, declared } = find(bridge(1000, 0, [60_000, 1001]));
    expect(declared).toBe(60_000 / 1001);
    expect(rungs.map(({ rate }) => rate * 1.001)).toEqual(
      [240, 120, 60, 30, 20, 15].map((rate) => expect.closeTo(rate)),
    );
  });

  test("a field and bounds of one's own", () => {
    const { rungs, measured } = find(bridge(1000), { field: "x", max: 1.02, rates: [240, 120, 60, 40] });
    // At 240 it reaches 1.002, at 120 1.009, at 60 1.04.
    expect([measured, rungs.map(({ isStable }) => isStable)]).toEqual(["x", [true, true, false, false]]);
    expect(rungText(rungs[2]!, 60)).toMatch(/^x is 1\.0\d+ after [\d.]+ s \(declared\)$/);
    const below = find(bridge(1000), { field: "x", min: -0.5, rates: [240] });
    expect([below.stableFrom, below.rungs[0]!.value]).toEqual([undefined, expect.any(Number)]);
    expect(limitText(below)).toMatch(/^Out of bounds even at the highest rate/);
  });

  test("a field of whole numbers, if it is named", () => {
    const { rungs } = find(bridge(10), { field: "steps", max: 700 });
    expect(rungs.map(({ rate, isStable }) => [rate, isStable])).toEqual([
      [240, false],
      [120, false],
      [60, true],
      [30, true],
      [20, true],
      [15, true],
    ]);
  });

  test.each([
    [{ field: "step" }, "--field step: the state has no such field. Did you mean steps?"],
    [{ field: "velocity" }, "--field velocity: the state has no such field. Fields: x, v, steps."],
    [{ max: 1 }, "--min and --max need --field, or a module that exports a function energy(world)."],
    [{ energy: "power" }, "--energy power: the module does not export such a function."],
  ])("%j is rejected", (task, message) => {
    expect(() => find(bridge(10), task)).toThrow(message);
  });
});

test("the rows of a table that exist are measured", () => {
  const game = simulation({
    name: "sparks",
    version: 1,
    rate: 60,
    state: layout({ sparks: table(10, { heat: f64 }) }),
    init({ sparks }) {
      sparks.add({ heat: 5 });
    },
    step({ sparks }, _, { dt }) {
      for (const spark of sparks) spark.heat += dt;
    },
  });
  // Free rows hold 0, which would be out of bounds.
  expect(find(game, { field: "sparks.heat", min: 4, max: 16 }).stableFrom).toBe(15);
  expect(find(game, { field: "sparks", min: 6 }).stableFrom).toBeUndefined();
});

test("inputs and commands are the same at every rate", () => {
  const game = simulation({
    name: "cart",
    version: 1,
    rate: 60,
    players: 2,
    state: layout({ x: f64, orders: u32 }),
    input: { push: axis(8), brake: button },
    commands: { halt: {} },
    step(world, inputs, { dt, commands }) {
      for (const { push, brake } of inputs) if (!brake) world.x += push * dt;
      world.orders += commands.length;
    },
  });
  const sizes = find(game, { field: "x", factor: 1.2, rates: [240, 120, 30] });
  expect(sizes.rungs.every(({ isStable }) => isStable)).toBe(true);
  const orders = find(game, { field: "orders", max: 1000, rates: [240, 30] }).rungs.map(({ value }) => value);
  expect(orders[0]).toBeGreaterThan(4);
  expect(new Set(orders).size).toBe(1);
  expect(() => find(game, { field: "x", isIdle: true })).toThrow(
    "x stays 0 at 240 steps per second, so nothing says how large it may be. Give --max.",
  );
});

test("a step that throws when it explodes is out of bounds; one that always throws has failed", () => {
  const { options } = bridge(4000);
  const game = (limit: number) =>
    simulation({
      ...options,
      step(world, inputs, context) {
        options.step(world, inputs, context);
        if (Math.abs(world.x) > limit) throw new RangeError("too far");
      },
    });
  // At 32, it swings as far as 6.5 without exploding.
  const found = find(game(5));
  expect(found.stableFrom).toBe(33);
  expect(rungText(found.rungs[3]!, 60)).toMatch(/^the step of tick \d+ threw RangeError: too far/);
  expect(() => find(game(0.5))).toThrow("the step of tick 0 threw RangeError: too far");
});

test("NaN is out of bounds", () => {
  const game = simulation({
    name: "root",
    version: 1,
    rate: 60,
    state: layout({ x: f64, y: f64 }),
    init(world) {
      world.x = 1;
    },
    step(world, _, { dt }) {
      world.y = Math.sqrt(1 / 25 - dt);
    },
  });
  const { stableFrom, unstable } = find(game, { field: "x" });
  expect([stableFrom, unstable]).toEqual([
    25,
    { rate: 24, isStable: false, name: "y", value: NaN, seconds: 1 / 24 },
  ]);
});

test("a step that reads neither dt nor time is rejected", () => {
  const game = simulation({
    name: "hop",
    version: 1,
    rate: 60,
    state: layout({ x: f64 }),
    step(world) {
      world.x += 1 / 60;
    },
  });
  expect(() => find(game)).toThrow(
    "hop cannot run at other rates: its step reads neither dt nor time, so a step moves everything by the same amount at every rate. Multiply by dt: position += velocity * dt.",
  );
});

test("beats keep their own rate", () => {
  const game = simulation({
    name: "clock",
    version: 1,
    rate: 60,
    state: layout({ strokes: u32 }),
    beats: {
      strike: {
        rate: 2,
        run(world) {
          world.strokes += 1;
        },
      },
    },
    step() {},
  });
  const { rungs } = find(game, { field: "strokes", max: 100, seconds: 9.9 });
  expect(rungs.map(({ value }) => value)).toEqual([20, 20, 20, 20, 20, 20]);
});

describe("external state", () => {
  beforeAll(() => RAPIER.init());

  const crate = (setTimestep: boolean) => {
    const physics = rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }));
    return simulation({
      name: "crate",
      version: 1,
      rate: 60,
      state: layout({ crate: f64, y: f64, clock: f64 }),
      external: { physics },
      init(
        state,
        {
          external: {
            physics: { world },
          },
        },
      ) {
        world.createCollider(RAPIER.ColliderDesc.cuboid(50, 1));
        const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 5));
        world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5), body);
        state.crate = body.handle;
      },
      step(
        state,
        _,
        {
          dt,
          time,
          external: {
            physics: { world },
          },
        },
      ) {
        if (setTimestep) world.timestep = dt;
        world.step();
        state.clock = time;
        state.y = world.getRigidBody(state.crate).translation().y;
      },
    });
  };

  test("a physics world runs at each rate, with steps of that rate", () => {
    const { stableFrom, rungs } = find(crate(true), { field: "y", min: 1.4, max: 5, seconds: 3 });
    expect([stableFrom, rungs.length]).toEqual([15, 6]);
  });

  test("one that keeps its own timestep is rejected", () => {
    expect(() => find(crate(false), { seconds: 1 })).toThrow(
      "crate cannot run at other rates: external.physics takes steps of 0.01667 s at every rate. Set its world.timestep to dt before each step.",
    );
  });
});
