// Sessions in real workers of Node, in both modes: the same bits, failures, restarts, and many of them.
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { inputLatch } from "../../src/input/index.js";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { localSession } from "../../src/sim/index.js";
import { workerSession, type WorkerFailure, type WorkerSession } from "../../src/worker/index.js";
import { FULL } from "../full.js";
import { arcade, FAIL_AT } from "./arcade.js";
import { holdWorker } from "./hold-worker.js";
import { physics } from "./physics.js";
import { useWorkers } from "./start-worker.js";

const workers = useWorkers();

/** Draws frames until a condition holds. */
async function drawUntil(session: WorkerSession, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    session.advance();
    if (session.present !== "none") session.view(0);
    await setTimeout(4);
  }
}

/** Waits, without drawing, until the worker has saved a state that is newer than the one on the page. */
const untilSavedAhead = (worker: Worker, session: WorkerSession): Promise<void> =>
  new Promise((resolve) => {
    worker.on("message", function onMessage({ kind, tick }: { kind?: string; tick: number }) {
      if (kind !== "saved" || tick <= session.tick) return;
      worker.off("message", onMessage);
      resolve();
    });
  });

const untilFailed = (session: WorkerSession): Promise<WorkerFailure> =>
  new Promise((resolve) => void session.on("failed", resolve));

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  test("says which memory is in use, and why", async () => {
    const session = workerSession(arcade, await workers.start("arcade.worker"), { memory });
    expect(session.memory).toBe(memory);
    expect(session.memoryReason).toBe(
      memory === "shared" ? "all threads of Node share memory" : 'the option memory is "transferred"',
    );
    session.dispose();
  });

  test("each press reaches one step, effects arrive once, and the recording verifies with the same hashes", async () => {
    const latch = inputLatch(arcade.packing, { fractions: { firedAt: { of: "fire" } } });
    const session = workerSession(arcade, await workers.start("arcade.worker"), {
      memory,
      inputs: latch,
      seed: 4,
    });
    await session.ready;
    const recorder = record(session, { checkpoints: 0.2, keyframes: 1 });
    const shots: number[] = [];
    session.on("effect", ({ number, tick }) => {
      shots.push(number);
      expect(session.shownTick).toBeGreaterThanOrEqual(tick + 1);
    });
    for (let i = 0; i < 20; i++) {
      latch.press("fire", performance.now());
      // Some of them within one step.
      if (i % 3 > 0) await setTimeout(i % 7);
      latch.release("fire", performance.now());
      await setTimeout((5 * i) % 31);
      session.advance();
      session.view(0);
    }
    session.command("build", { x: 2 });
    await drawUntil(
      session,
      () => shots.length === 20 && session.world.releases === 20 && session.world.built === 1,
    );
    expect(shots).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(session.world.presses).toBe(20);
    holdWorker(session);
    const bytes = await session.save();
    await drawUntil(session, () => recorder.last === session.tick && session.bytes().join() === bytes.join());
    const replay = readReplay(recorder.bytes());
    expect(verify(arcade, replay)).toMatchObject({ ok: true });
    expect(replay.last).toBe(session.tick);
    expect(replay.first).toBe(0);
    session.dispose();
  });

  test("the worker goes on while the page is busy", async () => {
    const session = workerSession(arcade, await workers.start("arcade.worker"), { memory });
    await session.ready;
    await drawUntil(session, () => session.tick > 5);
    const before = session.tick;
    const end = performance.now() + 400;
    while (performance.now() < end);
    // Messages arrive after the page was busy.
    await setTimeout(0);
    await drawUntil(session, () => session.tick > before);
    // One that waits for the page would take one step per frame.
    expect(session.tick - before).toBeGreaterThan(4);
    session.dispose();
  });

  test("a step that throws: the page gets the tick and the stack, and a restart continues in the same worker", async () => {
    const session = workerSession(arcade, await workers.start("arcade.worker"), { memory, seed: 9 });
    await session.ready;
    await drawUntil(session, () => session.tick > 10);
    const failed = untilFailed(session);
    session.command("build", { x: FAIL_AT });
    const failure = await failed;
    expect(failure).toMatchObject({ reason: "step", tick: expect.any(Number) });
    expect(failure.error.message).toBe("the player asked for it");
    expect(failure.error.stack).toContain("arcade.worker.mjs");
    expect(() => session.advance()).toThrow(
      `Session: the step of tick ${failure.tick} threw in the worker: the player asked for it. Call restart() to continue from the last state.`,
    );
    // The last picture stays.
    expect(session.view(0).x).toBeGreaterThan(0);
    // The worker must not step on before the page looks.
    const release = holdWorker(session);
    await session.restart();
    expect(session.failure).toBeUndefined();
    expect(session.tick).toBe(failure.tick);
    release();
    await drawUntil(session, () => session.tick > failure.tick + 20);
    holdWorker(session);
    const saved = await session.save();
    const local = localSession(arcade, { seed: 9 });
    local.load(saved);
    const { tick } = local;
    const straight = localSession(arcade, { seed: 9 });
    straight.skip(tick);
    expect(local.hash()).toEqual(straight.hash());
    session.dispose();
  });

  test("a worker that is killed: the page is told, and a restart continues in a new one", async () => {
    const worker = await workers.start("arcade.worker");
    const session = workerSession(arcade, worker, { memory });
    await session.ready;
    await drawUntil(session, () => session.tick > 10);
    const failed = untilFailed(session);
    const asked = session.save().then(
      () => "saved",
      () => "failed",
    );
    await worker.terminate();
    expect(await failed).toMatchObject({ reason: "exit" });
    expect(["saved", "failed"]).toContain(await asked);
    expect(() => session.restart()).toThrow(/the worker is dead. Pass a new one/);
    expect(() => session.advance()).toThrow(/Call restart\(newWorker\)/);
    const { tick } = session;
    const release = holdWorker(session);
    await session.restart(await workers.start("arcade.worker"));
    expect(session.tick).toBe(tick);
    release();
    await drawUntil(session, () => session.tick > tick + 20);
    const local = localSession(arcade);
    local.skip(session.tick);
    expect(session.hash()).toEqual(local.hash());
    session.dispose();
  });

  test("a listener that restarts at once: the page never sees an error", async () => {
    const worker = await workers.start("arcade.worker");
    const spare = await workers.start("arcade.worker");
    const session = workerSession(arcade, worker, { memory });
    session.on("failed", () => void session.restart(spare));
    await session.ready;
    await drawUntil(session, () => session.tick > 10);
    void worker.terminate();
    await drawUntil(session, () => session.tick > 40);
    expect(session.failure).toBeUndefined();
    session.dispose();
  });

  test("a worker that does not answer", async () => {
    const session = workerSession(arcade, await workers.start("hanging.worker"), { memory, timeout: 0.5 });
    await session.ready;
    const failed = untilFailed(session);
    await expect(drawUntil(session, () => false)).rejects.toThrow(/does not answer, at tick 30/);
    expect(await failed).toMatchObject({ reason: "silent", tick: 30 });
    await session.restart(await workers.start("arcade.worker"));
    await drawUntil(session, () => session.tick > 50);
    session.dispose();
  });

  test("external state stays in the worker: the page says so, and a restart continues from the last save", async () => {
    const worker = await workers.start("physics.worker");
    const session = workerSession(physics, worker, { memory, saveEvery: 0.05 });
    await session.ready;
    await drawUntil(session, () => session.tick > 20);
    expect(() => session.bytes()).toThrow(
      /external state, which stays in the worker. Call await session.save\(\)/,
    );
    expect(() => session.hash()).toThrow(/external state/);
    const saved = await session.save();
    const local = localSession(physics);
    local.load(saved);
    const straight = localSession(physics);
    straight.skip(local.tick);
    expect(local.hash()).toEqual(straight.hash());
    await drawUntil(session, () => session.tick > local.tick + 20);
    const drawn = session.tick;
    await untilSavedAhead(worker, session);
    const failed = untilFailed(session);
    await worker.terminate();
    expect((await failed).tick).toBe(session.tick);
    const { tick } = session;
    const release = holdWorker(session);
    await session.restart(await workers.start("physics.worker"));
    expect(session.tick).toBeGreaterThan(drawn);
    expect(session.tick).toBeLessThanOrEqual(tick);
    release();
    await drawUntil(session, () => session.tick > tick);
    expect(session.world.sum).toBeGreaterThan(0);
    session.dispose();
  });

  const count = FULL ? 1000 : 60;
  test(`${count} sessions, one after another, leave nothing behind`, async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const worker = await workers.start("arcade.worker");
    const alive: WeakRef<WorkerSession>[] = [];
    const listeners = worker.listenerCount("message");
    for (let i = 0; i < count; i++) {
      const session = workerSession(arcade, worker, { memory, keepWorker: true, seed: i });
      session.on("effect", () => {});
      await session.ready;
      session.advance();
      session.view(0);
      if (i % 10 === 0) await drawUntil(session, () => session.tick > 2);
      alive.push(new WeakRef(session));
      session.dispose();
      session.dispose();
      expect(() => session.advance()).toThrow("Session: already disposed. Create a new one.");
    }
    expect(worker.listenerCount("message")).toBe(listeners);
    await expect
      .poll(
        async () => {
          gc();
          await setTimeout(10);
          return alive.filter((each) => each.deref()).length;
        },
        { timeout: 20_000 },
      )
      .toBeLessThan(5);
  });
});

test("a module that cannot be loaded, and one that serves another simulation", async () => {
  const broken = workerSession(arcade, await workers.start("broken.worker"));
  await expect(broken.ready).rejects.toThrow("this module is broken");
  expect(broken.failure).toMatchObject({ reason: "load" });
  expect(() => broken.advance()).toThrow(
    "Session: the worker could not be loaded: this module is broken. Call restart(newWorker) to continue from the last state.",
  );
  broken.dispose();
  const other = workerSession(arcade, await workers.start("other.worker"));
  await expect(other.ready).rejects.toThrow(
    'the worker serves version 3 of "other", not version 1 of "arcade"',
  );
  other.dispose();
});

test("a session that cannot begin says why", async () => {
  const session = workerSession(arcade, await workers.start("arcade.worker"), { from: new Uint8Array(9) });
  await expect(session.ready).rejects.toThrow(/not a saved state/);
  expect(session.failure).toMatchObject({ reason: "start" });
  session.dispose();
  await expect(session.save()).rejects.toThrow(/already disposed/);
});
