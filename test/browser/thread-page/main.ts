// A page with sessions in workers, as a bundler builds it. Tests call its functions.
import { inputLatch } from "../../../src/input/index.js";
import { readReplay, record, verify } from "../../../src/replay/index.js";
import { drive, localSession } from "../../../src/sim/index.js";
import { workerSession, type MemoryMode, type WorkerFailure } from "../../../src/worker/index.js";
import { arcade, FAIL_AT } from "../../worker/arcade.js";

const startWorker = () =>
  new Worker(new URL("../../worker/arcade.worker.ts", import.meta.url), { type: "module" });

const startSuspended = () =>
  new Worker(new URL("../../worker/suspended.worker.ts", import.meta.url), { type: "module" });

const wait = (milliseconds: number) => new Promise((resolve) => void setTimeout(resolve, milliseconds));

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await wait(5);
}

/** Plays for a while with a loop of the page, and says what it saw. */
async function play(presses: number, memory?: MemoryMode) {
  const latch = inputLatch(arcade.packing, { fractions: { firedAt: { of: "fire" } } });
  const session = workerSession(arcade, startWorker(), { inputs: latch, memory, seed: 7 });
  await session.ready;
  const recorder = record(session, { checkpoints: 0.2 });
  const shots: { readonly number: number; readonly early: boolean }[] = [];
  session.on("effect", ({ number, tick }) => shots.push({ number, early: session.shownTick < tick + 1 }));
  const positions: number[] = [];
  const { loop } = drive(session, { render: (view) => void positions.push(view.x) });
  for (let i = 0; i < presses; i++) {
    latch.press("fire", performance.now());
    if (i % 3 > 0) await wait(i % 7);
    latch.release("fire", performance.now());
    await wait((7 * i) % 41);
  }
  await until(() => shots.length === presses && session.world.releases === presses && positions.length > 30);
  loop.pause();
  const saved = await session.save();
  await until(() => session.bytes().join() === saved.join() && recorder.last === session.tick);
  const replay = readReplay(recorder.bytes());
  const result = {
    memory: session.memory,
    reason: session.memoryReason,
    kernels: session.kernels,
    presses: session.world.presses,
    shots: shots.map(({ number }) => number),
    early: shots.filter(({ early }) => early).length,
    backwards: positions.filter((x, i) => x < (positions[i - 1] ?? 0)).length,
    verified: verify(arcade, replay).ok,
    from: replay.first,
    isWhole: replay.last === session.tick,
    timing: session.timing.toJSON(),
  };
  loop.stop();
  session.dispose();
  return result;
}

/** A worker that somebody terminates says nothing in a browser: it is silent. */
async function kill() {
  const worker = startWorker();
  const session = workerSession(arcade, worker, { timeout: 1 });
  await session.ready;
  const failures: WorkerFailure[] = [];
  // It has loaded when it is needed: on a busy machine, that may take longer than the timeout.
  const spares = [startWorker()];
  session.on("failed", (failure) => {
    failures.push(failure);
    void session.restart(spares.pop() ?? startWorker());
  });
  const { loop } = drive(session);
  await until(() => session.tick > 20);
  worker.terminate();
  await until(() => failures.length > 0);
  const { tick } = session;
  await until(() => session.tick > tick + 20);
  const local = localSession(arcade);
  loop.pause();
  const saved = await session.save();
  local.load(saved);
  const straight = localSession(arcade);
  straight.skip(local.tick);
  session.dispose();
  return {
    // On a busy machine, the next worker may be too slow, too.
    reasons: [...new Set(failures.map(({ reason }) => reason))],
    isSame: local.hash().join() === straight.hash().join(),
  };
}

/** A worker that stands still for a while, and continues. */
async function suspend(milliseconds: number) {
  const worker = startSuspended();
  const session = workerSession(arcade, worker);
  await session.ready;
  const positions: number[] = [];
  const { loop } = drive(session, { render: (view) => void positions.push(view.x) });
  await until(() => session.tick > 20);
  const { starvedFrames } = session.timing;
  worker.postMessage({ suspend: milliseconds });
  await until(() => session.timing.starvedFrames > starvedFrames + 5);
  const { tick } = session;
  await until(() => session.tick > tick + 20);
  const { lostSeconds } = await session.stats();
  const local = localSession(arcade);
  local.load(await session.save());
  const straight = localSession(arcade);
  straight.skip(local.tick);
  const { failure } = session;
  loop.stop();
  session.dispose();
  return {
    failure: failure?.reason ?? "none",
    backwards: positions.filter((x, i) => x < (positions[i - 1] ?? 0)).length,
    lostSeconds,
    isSame: local.hash().join() === straight.hash().join(),
  };
}

/** A step that throws. */
async function fail() {
  const session = workerSession(arcade, startWorker());
  await session.ready;
  const failed = new Promise<WorkerFailure>((resolve) => void session.on("failed", resolve));
  session.advance();
  session.command("build", { x: FAIL_AT });
  const { reason, tick, error } = await failed;
  let thrown = "";
  try {
    session.advance();
  } catch (problem) {
    thrown = String(problem);
  }
  await session.restart();
  const isBack = session.tick === tick;
  session.dispose();
  return { reason, tick, message: error.message, stack: error.stack, thrown, isBack };
}

/** A module that is not there. */
async function missing() {
  const url = new URL("/missing.js", location.href);
  const session = workerSession(arcade, new Worker(url, { type: "module" }), { timeout: 5 });
  const failed = new Promise<WorkerFailure>((resolve) => void session.on("failed", resolve));
  const problem = await session.ready.then(
    () => "",
    (error: unknown) => String(error),
  );
  const { reason } = await failed;
  session.dispose();
  return { reason, problem };
}

/** Many sessions: some in workers of their own, some one after the other in the same one. Returns how many were ready, and which of them stay in memory. */
async function many(count: number) {
  const shared = startWorker();
  const sessions: WeakRef<object>[] = [];
  let ready = 0;
  for (let i = 0; i < count; i++) {
    const isOwn = i % 10 === 0;
    const session = workerSession(arcade, isOwn ? startWorker() : shared, { keepWorker: !isOwn });
    await session.ready;
    session.advance();
    session.view(0);
    ready++;
    session.dispose();
    sessions.push(new WeakRef(session));
  }
  shared.terminate();
  const left = () => sessions.flatMap((session, i) => (session.deref() ? [i] : []));
  // Garbage, until the engine collects all of it.
  let garbage: object[] = [];
  for (let i = 0; i < 1000 && left().length > 5; i++) {
    // What a task has looked at stays until it is over.
    await wait(2);
    garbage.push(Array.from({ length: 100_000 }, (_, j) => ({ j })));
    if (garbage.length > 20) garbage = [];
    await wait(2);
  }
  return { ready, left: left() };
}

/** Everything that goes wrong, at the same time: most of it is waiting. */
async function failures() {
  const [killed, suspended, failed, absent] = await Promise.all([kill(), suspend(1200), fail(), missing()]);
  return { killed, suspended, failed, absent };
}

/** A session that goes on, for tests that hide the page. */
async function running() {
  const session = workerSession(arcade, startWorker());
  await session.ready;
  drive(session);
  Object.assign(globalThis, { session });
  return true;
}

Object.assign(globalThis, { thread: { play, failures, many, running } });
