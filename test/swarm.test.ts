import { expect, test } from "vitest";
import { swarm, swarmHash } from "../scenes/swarm.js";

/** Of the swarm's memory after 10,000 steps: changed only on purpose, with a major version. */
const HASHES = { one: 0xe86832db, two: 0x745e36d9 };

function run(step: (tick: number, dt: number) => void, from: number, to: number): void {
  for (let tick = from; tick < to; tick++) step(tick, 1 / 60);
}

test.each(Object.entries(HASHES))("the swarm that is seeded by %s ends where it always did", (seed, hash) => {
  const { memory, step } = swarm(seed);
  run(step, 0, 10_000);
  expect(swarmHash(memory).toString(16)).toBe(hash.toString(16));
});

test("saved and loaded as bytes, it goes the same way again", () => {
  const { memory, step } = swarm(1);
  const bytes = new Uint8Array(memory);
  run(step, 0, 100);
  const saved = bytes.slice();
  run(step, 100, 1000);
  const once = bytes.slice();
  expect(once).not.toEqual(saved);
  bytes.set(saved);
  run(step, 100, 1000);
  expect(bytes).toEqual(once);
});
