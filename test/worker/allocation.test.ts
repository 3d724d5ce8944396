// A page that draws a session in a worker creates no garbage, if memory is shared.
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bytesPerCall } from "../../bench/heap.mjs";
import { inputLatch } from "../../src/input/index.js";
import { localSession, type AnySimulation } from "../../src/sim/index.js";
import { workerSession } from "../../src/worker/index.js";
import { PageStates } from "../../src/worker/page-states.js";
import { HEAD_BYTES, STATE_MARK } from "../../src/worker/publisher.js";
import { HEAD_DOUBLES, HEAD_MOMENT, HEAD_NUMBER, HEAD_TICK } from "../../src/worker/state-head.js";
import { arcade } from "./arcade.js";
import { useWorkers } from "./start-worker.js";

const workers = useWorkers();

test("with shared memory, a frame allocates no more than on one thread, and reading the clock", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const latch = inputLatch(arcade.packing);
  const session = workerSession(arcade, await workers.start("arcade.worker"), {
    memory: "shared",
    inputs: latch,
  });
  session.on("effect", () => {});
  await session.ready;
  while (session.tick < 10) {
    session.advance();
    await setTimeout(5);
  }
  let states = 0;
  let sum = 0;
  const inWorker = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      if (session.advance() === "stepped") states++;
      session.follower.frame(1 / 60);
      sum += session.view(0.5).x + session.world.x;
    }
  }, 30_000);
  expect(states).toBeGreaterThan(0);
  session.dispose();
  const local = localSession(arcade);
  local.skip(2);
  const alpha = new Float64Array([0.5]);
  const onOneThread = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      alpha[0] = (i % 100) / 100;
      sum += local.view(alpha[0]).x + performance.now();
    }
  }, 30_000);
  expect(sum).toBeGreaterThan(0);
  console.log(`${inWorker.toFixed(1)} bytes per frame in a worker, ${onOneThread.toFixed(1)} on one thread`);
  // Numbers that the engine boxes on the way to the kernels. No object, no array.
  expect(inWorker).toBeLessThan(onOneThread + 32);
});

test("with transferred memory, taking over a state allocates less than 1 KB", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const states = new PageStates(arcade as AnySimulation, "transferred", "auto");
  const buffer = new ArrayBuffer(HEAD_BYTES + arcade.layout.size);
  const head = new Float64Array(buffer, 0, HEAD_DOUBLES);
  let taken = 0;
  const bytes = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      head[HEAD_NUMBER] = STATE_MARK;
      head[HEAD_MOMENT] = head[HEAD_TICK] = taken++;
      if (states.isState(buffer, 0)) states.take(buffer, 0.5);
      states.ring.claimNewest();
    }
  }, 3000);
  expect(states.ring.read(states.ring.newest, HEAD_TICK)).toBe(taken - 1);
  expect(bytes).toBeLessThan(1024);
});
