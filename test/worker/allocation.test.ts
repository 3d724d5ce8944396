// A page that draws a session in a worker creates no garbage, if memory is shared.
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { expect, test } from "vitest";
import { bytesPerCall } from "../../bench/heap.mjs";
import { inputLatch } from "../../src/input/index.js";
import { Loop, type Part } from "../../src/loop/index.js";
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
  const loop = new Loop({ rate: 60 });
  loop.start({ start() {}, stop() {}, now: () => 0 });
  // Its hooks are called without the loop, whose own frames are measured elsewhere.
  let part!: Part;
  loop.on("use", (used) => void (part = used));
  session.attach(loop);
  const { scale, frame } = part;
  const time = { real: 1e9, units: 1e9 };
  const sum = new Float64Array(1);
  const inWorker = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      if (session.advance() === "stepped") states++;
      scale!(time);
      frame!(loop.frame);
      sum[0]! += session.view(0.5).x + session.world.x;
    }
  }, 30_000);
  expect(states).toBeGreaterThan(0);
  session.dispose();
  const local = localSession(arcade);
  local.skip(2);
  const onOneThread = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) sum[0]! += local.view(0.5).x;
  }, 30_000);
  // The engine allocates the number that a clock returns. Only that is left.
  const clock = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) sum[0]! += performance.now();
  }, 30_000);
  expect(sum[0]).toBeGreaterThan(0);
  console.log(
    `Bytes per frame: ${inWorker.toFixed(1)} in a worker, ${onOneThread.toFixed(1)} on one thread, ${clock.toFixed(1)} to read the clock`,
  );
  expect(inWorker).toBeLessThan(onOneThread + clock + 8);
});

test("with transferred memory, receiving a state, taking it over and giving it back allocates less than 1 KB", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const states = new PageStates(arcade as AnySimulation, "transferred", "auto");
  const { port1: page, port2: worker } = new MessageChannel();
  let buffer = new ArrayBuffer(HEAD_BYTES + arcade.layout.size);
  const exchange = (take?: (received: ArrayBuffer) => void) => {
    worker.postMessage(buffer, [buffer]);
    const { message: received } = receiveMessageOnPort(page) as { message: ArrayBuffer };
    take?.(received);
    page.postMessage(received, [received]);
    buffer = (receiveMessageOnPort(worker) as { message: ArrayBuffer }).message;
  };
  let taken = 0;
  const takeOver = (received: ArrayBuffer) => {
    const head = new Float64Array(received, 0, HEAD_DOUBLES);
    head[HEAD_NUMBER] = STATE_MARK;
    head[HEAD_MOMENT] = head[HEAD_TICK] = taken++;
    if (states.isState(received, 0)) states.take(received, 0.5);
    states.ring.claimNewest();
  };
  const all = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) exchange(takeOver);
  }, 3000);
  const exchanged = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) exchange();
  }, 3000);
  page.close();
  expect(states.ring.read(states.ring.newest, HEAD_TICK)).toBe(taken - 1);
  // Both threads send and receive one buffer each: half of it is the page's.
  const bytes = all - exchanged / 2;
  console.log(
    `Bytes per state: ${bytes.toFixed(1)}, of which ${(exchanged / 2).toFixed(1)} to receive and send it`,
  );
  expect(bytes).toBeLessThan(1024);
});
