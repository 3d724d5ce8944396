import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

const TRIES = 5;

/**
 * Bytes that a call puts on the heap, where `run(calls)` makes so many. The least of some tries, as
 * what the engine itself allocates meanwhile only ever adds to it.
 */
export async function bytesPerCall(/** @type {(calls: number) => void} */ run, /** @type {number} */ calls) {
  let least = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const { grown, collected } = await heapGrowth(() => run(calls));
    // A collection would hide some: fewer calls, then.
    if (collected) return bytesPerCall(run, Math.ceil(calls / 2));
    least = Math.min(least, grown / calls);
  }
  return least;
}

async function heapGrowth(/** @type {() => void} */ run) {
  globalThis.gc?.();
  // The event loop delivers the observer's entries: let that one pass, and later wait for others.
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
