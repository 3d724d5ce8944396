import { expect, test } from "vitest";
import { swarm, swarmHash } from "../scenes/swarm.js";
import { SWARM_HASHES } from "./swarm.js";

test("the swarm ends where it always did", () => {
  for (const [seed, hash] of Object.entries(SWARM_HASHES)) expect(swarmHash(seed, 10_000), seed).toBe(hash);
});

test("saved and loaded as bytes, it goes the same way again", () => {
  const { memory, step } = swarm(1);
  const bytes = new Uint8Array(memory);
  const run = (from: number, to: number) => {
    for (let tick = from; tick < to; tick++) step(tick, 1 / 60);
    return bytes.slice();
  };
  const saved = run(0, 100);
  const once = run(100, 1000);
  expect(once).not.toEqual(saved);
  bytes.set(saved);
  expect(run(100, 1000)).toEqual(once);
});
