// The page of the worker bench: it draws a little, spends time in each frame, and has the simulation on its own thread, in a worker, or
// not at all.
import { display, Loop } from "../dist/index.js";
import { drive, localSession } from "../dist/sim/index.js";
import { workerSession } from "../dist/worker/index.js";
import { blendTimes, bytesPerFrame, costsOf, readySamples } from "./worker-figures.mjs";
import { lastCosts, pile, quantile, spendUntil } from "./worker-game.mjs";

/** A refresh of the display, in milliseconds. */
const REFRESH = 1000 / 60;

const startWorker = (cost, bodies = 1000) =>
  new Worker(`thread.js?cost=${cost}&bodies=${bodies}`, { type: "module" });
const wait = (seconds) => new Promise((resolve) => void setTimeout(resolve, 1000 * seconds));

const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 36 });
document.body.append(canvas);
const context = canvas.getContext("2d");

/** Draws some bodies. Few, as the machine draws without a graphics card. */
function draw(bodies) {
  context.clearRect(0, 0, 64, 36);
  for (let i = 0; i < 20; i++) context.fillRect((3 * i + bodies.x[i]) % 64, (bodies.y[i] + i) % 36, 2, 2);
}
const NO_BODIES = { x: new Float64Array(20), y: new Float64Array(20) };

/**
 * Counts refreshes without a new picture until `stop` is called: those that were skipped, and frames that ended after their refresh
 * was over. Call `end` when a frame has been drawn.
 */
function frameWatch() {
  let refreshes = 0;
  let late = 0;
  let begun = NaN;
  let isLate = false;
  let wasLate = false;
  let handle = requestAnimationFrame(function frame(timestamp) {
    handle = requestAnimationFrame(frame);
    const passed = Math.round((timestamp - begun) / REFRESH);
    // NaN in the first frame.
    if (passed > 0) {
      refreshes += passed;
      late += Math.max(passed - 1, wasLate ? 1 : 0);
    }
    begun = timestamp;
    wasLate = isLate;
  });
  return {
    end() {
      isLate = performance.now() - document.timeline.currentTime > REFRESH;
    },
    stop() {
      cancelAnimationFrame(handle);
      return { refreshes, late };
    },
  };
}

/**
 * Draws for some seconds, and spends `spent` milliseconds in each frame. `where` is "nowhere", "onPage" or "inWorker": where the steps are
 * taken.
 */
export async function run({ where, cost, memory, spent, settle, seconds }) {
  const worker = where === "inWorker" ? startWorker(cost) : undefined;
  const session = worker
    ? workerSession(pile(cost), worker, { memory })
    : where === "onPage"
      ? localSession(pile(cost))
      : undefined;
  await session?.ready;
  let watch = { end() {} };
  const render = (view) => {
    const begun = performance.now();
    draw(view?.bodies ?? NO_BODIES);
    spendUntil(begun + spent);
    watch.end();
  };
  const loop = session ? drive(session, { render }).loop : new Loop({ rate: 60, render: () => render() });
  if (!session) loop.start(display());
  await wait(settle);
  const before = session?.timing?.toJSON();
  watch = frameWatch();
  await wait(seconds);
  const frames = watch.stop();
  const timing = session?.timing?.toJSON();
  const lags = session?.timing?.lags();
  loop.stop();
  const costs = worker ? await costsOf(worker) : lastCosts();
  session?.dispose();
  return {
    ...frames,
    memory: session?.memory,
    cost99: quantile(costs, 0.999),
    ...(timing && {
      delay: timing.delay,
      lag: quantile(lags, 0.5),
      frames: timing.frames - before.frames,
      starved: timing.starvedFrames - before.starvedFrames,
    }),
  };
}

/** Returns how long states take from the end of a step until they can be drawn, in milliseconds, if the page has nothing else to do. */
export async function ready({ cost, memory, seconds }) {
  const session = workerSession(pile(cost), startWorker(cost), { memory });
  await session.ready;
  const { port1, port2 } = new MessageChannel();
  const turn = () =>
    new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
  const samples = await readySamples(session, turn, seconds);
  port1.close();
  session.dispose();
  return samples;
}

/** Returns the bytes that a call of `run` allocates, in a loop without pauses. Infinity if the engine collected garbage meanwhile. */
async function bytesPerCall(run, calls) {
  let least = Infinity;
  for (let i = 0; i < 7; i++) {
    globalThis.gc();
    await wait(0.05);
    const before = performance.memory.usedJSHeapSize;
    run(calls);
    const grown = performance.memory.usedJSHeapSize - before;
    if (grown >= 0) least = Math.min(least, grown / calls);
  }
  return least;
}

/** Returns what a frame with shared memory allocates, and, in the same way, a blend on one thread, and reading the clock. */
export async function sharedBytes({ calls }) {
  const session = workerSession(pile(0), startWorker(0), { memory: "shared" });
  await session.ready;
  session.advance();
  await wait(0.3);
  const bytes = await bytesPerFrame(session, localSession(pile(0)), bytesPerCall, calls);
  session.dispose();
  return bytes;
}

/** Returns the bytes that a page allocates for each state that it receives in a buffer, if it does nothing else. */
export async function receivedBytes({ settle, seconds }) {
  const session = workerSession(pile(0), startWorker(0), { memory: "transferred" });
  await session.ready;
  session.advance();
  await wait(settle);
  session.advance();
  globalThis.gc();
  const before = performance.memory.usedJSHeapSize;
  const { tick } = session;
  await wait(seconds);
  const grown = performance.memory.usedJSHeapSize - before;
  session.advance();
  const states = session.tick - tick;
  session.dispose();
  // The engine collected garbage.
  return grown < 0 ? Infinity : grown / states;
}

/** Returns the milliseconds of many blends: on one thread and of a session in a worker, round by round. */
export async function blend({ bodies, ...options }) {
  const local = localSession(pile(0, bodies));
  const session = workerSession(pile(0, bodies), startWorker(0, bodies), { memory: "shared" });
  await session.ready;
  session.advance();
  await wait(1);
  const times = blendTimes(local, session, options);
  session.dispose();
  return times;
}
