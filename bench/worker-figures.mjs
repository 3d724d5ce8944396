// What the worker bench measures in Chromium and in Node alike.
import { interleave } from "./rounds.mjs";

/** Asks a worker what its last steps cost. */
export const costsOf = (worker) =>
  new Promise((resolve) => {
    const take = (data) => {
      if (!(data instanceof Float64Array)) return;
      if (worker.off) worker.off("message", take);
      resolve(data);
    };
    if (worker.on) worker.on("message", take);
    else worker.addEventListener("message", ({ data }) => take(data));
    worker.postMessage("costs");
  });

/**
 * Looks for new states all the time, and returns how many milliseconds after the end of its step each of them was there. `turn` lets
 * messages arrive.
 */
export async function readySamples(session, turn, seconds) {
  const samples = [];
  const end = performance.now() + 1000 * seconds;
  // The first second is for the engine to warm up.
  const from = performance.now() + Math.min(1000, 500 * seconds);
  for (let now = 0; now < end || samples.length < 10; await turn()) {
    const advance = session.advance();
    now = performance.now();
    if (advance === "stepped" && now > from)
      samples.push(now + session.timing.clockOffset - session.world.endedAt);
  }
  return samples;
}

/**
 * Returns the milliseconds of many frames, round by round: those of a session on one thread, and those of one in a worker. A frame takes
 * over what has arrived, and blends it. On one thread, nothing arrives.
 */
export function blendTimes(local, session, { rounds, frames }) {
  local.skip(2);
  let sum = 0;
  const single = () => {
    for (let i = 0; i < frames; i++) sum += local.view((i % 64) / 64).bodies.x[0];
  };
  const worker = () => {
    for (let i = 0; i < frames; i++) {
      session.advance();
      sum += session.view((i % 64) / 64).bodies.x[0];
    }
  };
  const [ofSingle, ofWorker] = interleave([{ run: single }, { run: worker }], { warmUp: 20, rounds });
  return { single: Array.from(ofSingle), worker: Array.from(ofWorker), sum };
}
