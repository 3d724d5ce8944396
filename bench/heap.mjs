import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

const TRIES = 5;

/** Returns the bytes that a call allocates. `run(calls)` makes the calls. The minimum of some tries, as the engine allocates, too. */
export async function bytesPerCall(/** @type {(calls: number) => void} */ run, /** @type {number} */ calls) {
  let min = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const { grown, collected } = await heapGrowth(() => run(calls));
    // A garbage collection hides allocations: try again with fewer calls.
    if (collected) return bytesPerCall(run, Math.ceil(calls / 2));
    min = Math.min(min, grown / calls);
  }
  return min;
}

async function heapGrowth(/** @type {() => void} */ run) {
  globalThis.gc?.();
  // The event loop delivers the observer's entries: let this collection's pass, and later wait for others.
  await setTimeout(5);
  let collected = false;
  const observer = new PerformanceObserver(() => (collected = true));
  observer.observe({ entryTypes: ["gc"] });
  const before = process.memoryUsage().heapUsed;
  run();
  const grown = process.memoryUsage().heapUsed - before;
  await setTimeout(5);
  observer.disconnect();
  return { grown, collected };
}
