// A page that draws a session in a worker creates no garbage, if memory is shared.
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bytesPerCall } from "../../bench/heap.mjs";
import { inputLatch } from "../../src/input/index.js";
import { workerSession } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";
import { useWorkers } from "./start-worker.js";

const workers = useWorkers();

test("with shared memory, a frame allocates nothing", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const latch = inputLatch(arcade.packing);
  const session = workerSession(arcade, await workers.start("arcade.worker"), { memory: "shared", inputs: latch });
  session.on("effect", () => {});
  await session.ready;
  while (session.tick < 10) {
    session.advance();
    await setTimeout(5);
  }
  let states = 0;
  let sum = 0;
  const bytes = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      if (session.advance() === "stepped") states++;
      session.follower.frame(1 / 60);
      sum += session.view(0.5).x + session.world.x;
    }
  }, 100_000);
  expect(states).toBeGreaterThan(3);
  expect(sum).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(1);
  session.dispose();
});

test("with transferred memory, a state takes at most 1 KB", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const session = workerSession(arcade, await workers.start("arcade.worker"), { memory: "transferred" });
  await session.ready;
  const draw = async (states: number) => {
    const end = session.tick + states;
    while (session.tick < end) {
      session.advance();
      session.view(0.5);
      await setTimeout(2);
    }
  };
  await draw(60);
  // The loop of this test allocates too, for each time that it waits.
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await setTimeout(5);
    const before = process.memoryUsage().heapUsed;
    await draw(30);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 30);
  }
  console.log(`${Math.round(least)} bytes per state`);
  expect(least).toBeLessThan(20_000);
  session.dispose();
});
