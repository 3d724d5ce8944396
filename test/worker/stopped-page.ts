// A page in a process of its own, which the test stops and continues. Its arguments: the bundle of the worker, and how states get here.
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { localSession } from "../../src/sim/index.js";
import { workerSession, type MemoryMode } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";
import { holdWorker } from "./hold-worker.js";

const [, , bundle, memory] = process.argv;
const session = workerSession(arcade, new Worker(bundle!), { memory: memory as MemoryMode, timeout: 1 });
await session.ready;
let last = performance.now();
let pause = 0;
let backwards = 0;
let x = 0;
/** Draws frames until a condition holds, and notices the longest time between two of them. */
async function drawUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const now = performance.now();
    pause = Math.max(pause, now - last);
    last = now;
    session.advance();
    const shown = session.view(0).x;
    if (shown < x) backwards++;
    x = shown;
    await setTimeout(4);
  }
}
await drawUntil(() => session.tick > 20);
console.log("stop me");
// The test stops it for longer than that.
await drawUntil(() => pause > 1200);
const { tick } = session;
await drawUntil(() => session.tick > tick + 30);
holdWorker(session);
const local = localSession(arcade);
local.load(await session.save());
const straight = localSession(arcade);
straight.skip(local.tick);
console.log(
  JSON.stringify({
    failure: session.failure?.reason,
    backwards,
    isSame: local.hash().join() === straight.hash().join(),
  }),
);
session.dispose();
process.exit();
