import { expect, test } from "vitest";
import { layout, u32 } from "../state/index.js";
import { Run } from "./run.js";
import { simulation } from "./simulation.js";
import { SnapshotRing } from "./snapshot-ring.js";

const counter = simulation({
  name: "counter",
  version: 1,
  rate: 60,
  state: layout({ n: u32 }),
  step(world) {
    world.n += 2;
  },
});

function newRun(snapshots: number) {
  const run = new Run(counter, snapshots);
  const stepTo = (tick: number, each = () => {}) => {
    while (run.tick < tick) {
      run.step();
      each();
    }
  };
  return { run, stepTo };
}

test("keeps the newest states, and loads them by tick", () => {
  const { run, stepTo } = newRun(4);
  const ring = new SnapshotRing(run, 1, 3);
  stepTo(10, () => ring.save());
  expect([6, 7, 8, 9, 10, 11].map((tick) => ring.has(tick))).toEqual([false, false, true, true, true, false]);
  expect(ring.newest).toBe(10);
  ring.load(8);
  expect([run.tick, run.world.n]).toEqual([8, 16]);
  expect(() => ring.load(7)).toThrow("no snapshot of tick 7");
});

test("keeps every stride-th tick, counted from the origin", () => {
  const { run, stepTo } = newRun(3);
  const ring = new SnapshotRing(run, 0, 3, 5);
  stepTo(2);
  ring.clear(2);
  stepTo(30, () => (run.tick - 2) % 5 === 0 && ring.save());
  expect(Array.from({ length: 31 }, (_, tick) => tick).filter((tick) => ring.has(tick))).toEqual([
    17, 22, 27,
  ]);
});

test("drops the states after a tick, and takes new ones for them", () => {
  const { run, stepTo } = newRun(8);
  const ring = new SnapshotRing(run, 0, 8);
  ring.save();
  stepTo(6, () => ring.save());
  ring.dropAfter(3);
  expect([ring.newest, ring.has(3), ring.has(4)]).toEqual([3, true, false]);
  ring.load(3);
  run.world.n = 100;
  stepTo(5, () => ring.save());
  ring.load(5);
  expect(run.world.n).toBe(104);
});

test("reads another state without leaving the present one, even if the reader throws", () => {
  const { run, stepTo } = newRun(9);
  const ring = new SnapshotRing(run, 0, 8);
  stepTo(6, () => ring.save());
  expect(ring.read(2, 8, () => [run.tick, run.world.n])).toEqual([2, 4]);
  expect([run.tick, run.world.n]).toEqual([6, 12]);
  expect(() =>
    ring.read(2, 8, () => {
      throw new Error("mine");
    }),
  ).toThrow("mine");
  expect(run.tick).toBe(6);
});

test("finds the newest state at a tick or before it", () => {
  const { run, stepTo } = newRun(3);
  const ring = new SnapshotRing(run, 0, 3, 4);
  expect(ring.nearest(5)).toBe(-1);
  stepTo(18, () => run.tick % 4 === 0 && ring.save());
  expect([7, 8, 9, 11, 12, 15, 16, 17, 99].map((tick) => ring.nearest(tick))).toEqual([
    -1, 8, 8, 8, 12, 12, 16, 16, 16,
  ]);
  ring.dropAfter(13);
  expect([ring.nearest(99), ring.newest]).toEqual([12, 12]);
  ring.load(ring.nearest(15));
  expect(run.world.n).toBe(24);
});
