// What the worker bench measures in Chromium and in Node alike.

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

/** Rounds before the first that counts. */
const WARM_UP = 20;

/**
 * Returns the milliseconds of many frames, round by round: those of a session on one thread, and those of one in a worker. A frame takes
 * over what has arrived, and blends it. On one thread, nothing arrives. Rounds in which a frame starved do not count, as holding a state
 * is cheaper than blending two.
 */
export function blendTimes(local, session, { rounds, frames }) {
  local.skip(2);
  const sum = new Float64Array(1);
  const ofSingle = () => {
    for (let i = 0; i < frames; i++) sum[0] += local.view(((i % 62) + 1) / 64).bodies.x[0];
  };
  const ofWorker = () => {
    for (let i = 0; i < frames; i++) {
      session.advance();
      sum[0] += session.view(0.5).bodies.x[0];
    }
  };
  const times = { single: [], worker: [] };
  for (let round = -WARM_UP; times.single.length < rounds && round < 20 * rounds; round++) {
    const { starvedFrames } = session.timing;
    const isFirst = round % 2 === 0;
    const first = timeOf(isFirst ? ofSingle : ofWorker);
    const second = timeOf(isFirst ? ofWorker : ofSingle);
    if (round < 0 || session.timing.starvedFrames > starvedFrames) continue;
    times.single.push(isFirst ? first : second);
    times.worker.push(isFirst ? second : first);
  }
  return times;
}

/** Returns the bytes that a frame of a session in a worker allocates; that a blend on one thread does; and that reading the clock does. */
export async function bytesPerFrame(session, local, bytesPerCall, calls) {
  local.skip(2);
  const sum = new Float64Array(1);
  const shared = await bytesPerCall((count) => {
    for (let i = 0; i < count; i++) {
      session.advance();
      sum[0] += session.view(0.5).bodies.x[0];
    }
  }, calls);
  const onPage = await bytesPerCall((count) => {
    for (let i = 0; i < count; i++) sum[0] += local.view(0.5).bodies.x[0];
  }, calls);
  const clock = await bytesPerCall((count) => {
    for (let i = 0; i < count; i++) sum[0] += performance.now();
  }, calls);
  return { shared, onPage, clock };
}

function timeOf(run) {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}
