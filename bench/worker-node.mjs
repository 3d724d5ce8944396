// The worker bench in Node: a page is a thread that draws 60 times per second.
import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { localSession } from "../dist/sim/index.js";
import { workerSession } from "../dist/worker/index.js";
import { bytesPerCall } from "./heap.mjs";
import { blendTimes, bytesPerFrame, costsOf, readySamples } from "./worker-figures.mjs";
import { pile, quantile } from "./worker-game.mjs";

const startWorker = (cost, bodies = 1000) =>
  new Worker(new URL("worker-thread.mjs", import.meta.url), { workerData: { cost, bodies } });

/** Draws for some seconds with timers. Returns the delay, what steps cost, and the share of starved frames. */
export async function delayInNode({ cost, memory, settle, seconds }) {
  const worker = startWorker(cost);
  const session = workerSession(pile(cost), worker, { memory });
  await session.ready;
  const drawFor = async (time) => {
    const end = performance.now() + 1000 * time;
    for (; performance.now() < end; await setTimeout(16)) {
      session.advance();
      session.view(0);
    }
  };
  await drawFor(settle);
  const before = session.timing.toJSON();
  await drawFor(seconds);
  const { delay, frames, starvedFrames } = session.timing;
  const costs = await costsOf(worker);
  session.dispose();
  return {
    memory: session.memory,
    delay,
    cost99: quantile(costs, 0.999),
    frames: frames - before.frames,
    starved: starvedFrames - before.starvedFrames,
  };
}

export async function readyInNode({ cost, memory, seconds }) {
  const session = workerSession(pile(cost), startWorker(cost), { memory });
  await session.ready;
  const samples = await readySamples(session, setImmediate, seconds);
  session.dispose();
  return samples;
}

export async function blendInNode({ bodies, ...options }) {
  const session = workerSession(pile(0, bodies), startWorker(0, bodies));
  await session.ready;
  session.advance();
  await setTimeout(500);
  const times = blendTimes(localSession(pile(0, bodies)), session, options);
  session.dispose();
  return times;
}

/** Returns the bytes that a frame allocates: in a worker, on one thread, and what reading the clock allocates. */
export async function bytesInNode(calls) {
  const session = workerSession(pile(0), startWorker(0), { memory: "shared" });
  await session.ready;
  session.advance();
  await setTimeout(200);
  const bytes = await bytesPerFrame(session, localSession(pile(0)), bytesPerCall, calls);
  session.dispose();
  return bytes;
}
