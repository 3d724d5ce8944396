// A short version of `npm run soak`.
import { expect, test } from "vitest";
import golden from "../../scenes/golden.json" with { type: "json" };
import { SCENES } from "../../scenes/index.js";
import { simulation } from "../../src/sim/index.js";
import { used } from "./memory.js";
import { soakRooms } from "./rooms.js";
import { soak } from "./soak.js";

test("a run with many rollbacks equals a straight one, and leaks no memory", () => {
  soak(SCENES.orbit, 6000, "warm");
  const before = used().heap;
  const { fault, ticks, again, disturbances } = soak(SCENES.orbit, 30_000, "short");
  const growth = used().heap - before;
  expect(fault).toBe(undefined);
  expect(ticks).toBe(30_000);
  expect(again).toBeGreaterThan(10_000);
  for (const [name, count] of Object.entries(disturbances)) expect(count, name).toBeGreaterThan(10);
  expect(growth).toBeLessThan(2);
});

test("ends in the golden state, for any seed", () => {
  for (const seed of [1, 2, 3]) {
    const { fault, hash } = soak(SCENES.orbit, 6000, seed);
    expect([fault, hash]).toEqual([undefined, golden.orbit["6000"]]);
  }
});

test("passes with the platformer and the bullets too", () => {
  expect(soak(SCENES.platformer, 6000, 1).hash).toBe(golden.platformer["6000"]);
  expect(soak(SCENES.bullet, 6000, 1).fault).toBe(undefined);
});

test("finds a step that depends on how often it was called", () => {
  let steps = 0;
  const { options } = SCENES.orbit.simulation;
  const faulty = simulation({
    ...options,
    step(world, inputs, context) {
      options.step(world, inputs, context);
      if (++steps % 1000 === 0) world.lost += 1;
    },
  });
  const { fault, ticks } = soak({ ...SCENES.orbit, simulation: faulty }, 6000, 1);
  expect(fault).toMatch(/^After .*, state \d+ is [\da-f]{16}; in the straight run, it is [\da-f]{16}\.$/);
  expect(ticks).toBeLessThan(3000);
});

test("rooms survive players that die and processes that are killed, and all states agree", () => {
  const { faults, games, joins, deaths, restored, hashes } = soakRooms(0.06, "short", () => {});
  expect(faults).toEqual([]);
  for (const count of [games, joins, deaths, restored]) expect(count).toBeGreaterThan(2);
  expect(hashes).toBeGreaterThan(10_000);
});
