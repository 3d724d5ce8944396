// What a queue refuses, keeps and forgets.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyQueue, verifyWorker, type QueueOptions, type WorkerOptions } from "../../src/queue/index.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, until } from "./fleet.js";

describe.skipIf(!hasRedis)(`a queue${REDIS_NOTE}`, () => {
  let fleet: Fleet;
  let queues = 0;
  let redis: Redis;
  beforeAll(async () => {
    fleet = await Fleet.start();
    redis = new Redis(fleet.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await fleet?.stop();
  });
  /** A queue of its own for each test. */
  const create = async (options: QueueOptions = {}) => {
    const name = `test-${queues++}`;
    return { name, queue: await verifyQueue(fleet.url, { name, ...options }) };
  };

  test("refuses replays that are too long, and too many", async () => {
    const { queue } = await create({ maxBytes: 100, maxWaiting: 3 });
    await expect(queue.submit(new Uint8Array(101))).rejects.toThrow(
      "VerifyQueue.submit: bytes.length must be at most 100, got 101. Try a larger maxBytes.",
    );
    for (let i = 0; i < 3; i++) await queue.add(Uint8Array.of(i));
    await expect(queue.add(Uint8Array.of(3))).rejects.toMatchObject({ code: "refused" });
    await expect(queue.add(Uint8Array.of(3))).rejects.toThrow(
      "VerifyQueue.add: 3 replays are waiting already. Try again later.",
    );
    // One that waits already needs no room.
    await queue.add(Uint8Array.of(2));
    expect(await queue.waiting()).toBe(3);
    await queue.close();
  });

  test("stops waiting when it is told to, or closed", async () => {
    const { queue } = await create();
    const stop = new AbortController();
    const stopped = queue.submit(Uint8Array.of(1), { signal: stop.signal });
    const closed = queue.submit(Uint8Array.of(2));
    await until(async () => (await queue.waiting()) === 2);
    stop.abort(new Error("no longer needed"));
    await expect(stopped).rejects.toThrow("no longer needed");
    await expect(queue.submit(Uint8Array.of(1), { signal: stop.signal })).rejects.toThrow("no longer needed");
    await Promise.all([
      expect(closed).rejects.toThrow("VerifyQueue.submit: the queue was closed. Create a new one."),
      queue.close(),
    ]);
    await expect(queue.waiting()).rejects.toThrow("VerifyQueue.waiting: already closed. Create a new one.");
    // Closing it twice does nothing.
    await queue.close();
  });

  test("verdicts of another name, or with a guard, are others; they expire", async () => {
    const { name, queue } = await create();
    const worker = fleet.worker("--name", name, "--keep", "8");
    const bytes = await fleet.replay({ seed: 1, jumps: 2 });
    const id = await queue.add(bytes);
    const verdict = await queue.submit(bytes);
    expect(await queue.verdict(id)).toEqual(verdict);
    const guarded = await verifyQueue(fleet.url, { name, guard: { allow: ["Math.random"] } });
    expect(await guarded.add(bytes)).not.toBe(id);
    const { queue: other } = await create();
    expect(await other.verdict(id)).toBeUndefined();
    await until(async () => (await queue.verdict(id)) === undefined);
    // Then it is verified again.
    expect(await queue.submit(bytes)).toEqual(verdict);
    expect(worker.verdicts.filter((each) => each.id === id)).toHaveLength(2);
    await Promise.all([queue, guarded, other].map((each) => each.close()));
  });

  test("a simulation that cannot be loaded is no fault of the replay: it waits for the fix", async () => {
    const { name, queue } = await create();
    fleet.addSimulation(2, "throw new Error('half an upload');");
    const worker = fleet.worker("--name", name);
    const waiting = queue.submit(await fleet.replay({ seed: 1, jumps: 4, version: 2 }));
    await until(() => worker.stderr.includes("2.mjs could not be loaded: Error: half an upload"));
    expect(await queue.quarantined()).toEqual([]);
    fleet.addSimulation(2);
    expect(await waiting).toMatchObject({ outcome: "ok", version: 2, result: { score: 4 } });
    await queue.close();
  });

  test("a folder of simulations that is being changed is no fault of a replay, either", async () => {
    const { name, queue } = await create();
    const folder = fleet.project.path("changing");
    cpSync(fleet.project.path("sims/crates/1.mjs"), join(folder, "crates/1.mjs"));
    const worker = fleet.worker("--name", name, "--sims", "changing");
    await until(() => worker.stderr.includes("verifying replays of crates/1.mjs"));
    rmSync(folder, { recursive: true });
    const waiting = queue.submit(await fleet.replay({ seed: 5, jumps: 3 }));
    await until(() => worker.stderr.includes("sims must be a folder that can be read (ENOENT"));
    expect(await queue.quarantined()).toEqual([]);
    cpSync(fleet.project.path("sims"), folder, { recursive: true });
    expect(await waiting).toMatchObject({ outcome: "ok", result: { score: 3 } });
    await queue.close();
  });

  test("a simulation that was added later is found, and one with other fields is another", async () => {
    const { name, queue } = await create();
    const worker = fleet.worker("--name", name);
    const bytes = await fleet.replay({ seed: 1, jumps: 1, version: 3 });
    expect(await queue.submit(bytes)).toMatchObject({
      outcome: "other",
      message: "it is a recording of crates, version 3, which is not in the folder of simulations.",
    });
    fleet.addSimulation(3);
    await queue.forget(await queue.add(bytes));
    expect(await queue.submit(bytes)).toMatchObject({ outcome: "ok" });
    // Version 4 in the file, but version 1 in the module.
    writeFileSync(fleet.project.path("sims/crates/4.mjs"), 'export { default } from "./1.mjs";\n');
    expect(await queue.submit(await fleet.replay({ seed: 1, jumps: 1, version: 4 }))).toMatchObject({
      outcome: "other",
      message:
        "it is a recording of crates, version 4, but crates/4.mjs is crates, version 1. Use the build that it was recorded with.",
    });
    expect(await worker.end("SIGTERM")).toBe(0);
    await queue.close();
  });

  test("a replay during which 30 workers died is quarantined, but not one that others took over 29 times", async () => {
    const { name, queue } = await create();
    const ids: string[] = [];
    for (const deaths of [29, 30]) {
      const id = await queue.add(await fleet.replay({ seed: deaths, jumps: 1 }));
      // As BullMQ counts them.
      await redis.hset(`tickwise:${name}:${id}`, "stc", deaths);
      ids.push(id);
    }
    fleet.worker("--name", name);
    await until(async () => (await Promise.all(ids.map((id) => queue.verdict(id)))).every(Boolean));
    expect(await queue.verdict(ids[0]!)).toMatchObject({ outcome: "ok" });
    expect(await queue.verdict(ids[1]!)).toMatchObject({
      outcome: "failed",
      message: "each worker died while it verified this replay (quarantined after 30 attempts)",
      quarantined: true,
    });
    await queue.close();
  });

  test("a worker warns of a Redis that evicts jobs", async () => {
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    const worker = fleet.worker();
    await until(() => worker.stderr.includes("Eviction policy is allkeys-lru"));
    await redis.config("SET", "maxmemory-policy", "noeviction");
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("a result that JSON does not have, or that is too long, fails the replay", async () => {
    const { name, queue } = await create();
    fleet.addSimulation(
      5,
      `import { make } from "../../game.mjs";
export default make(5);
export const readResult = ({ score }) => {
  if (score === 1) return { time: 1 / 0 };
  if (score === 2) return "x".repeat(1e5);
  if (score === 3) throw new Error("no");
};
`,
    );
    fleet.worker("--name", name);
    const messages = [];
    for (const jumps of [1, 2, 3, 4]) {
      const verdict = await queue.submit(await fleet.replay({ seed: 1, jumps, version: 5 }));
      messages.push(verdict.outcome === "failed" && verdict.message.replace(/\n.*/s, ""));
    }
    expect(messages).toEqual([
      "readResult threw RangeError: time is Infinity, which JSON does not have",
      "readResult returned 100002 characters of JSON, the limit is 65536",
      "readResult threw Error: no",
      "readResult returned nothing: return a value for JSON",
    ]);
    await queue.close();
  });

  test("a replay that begins with a state says so", async () => {
    const { name, queue } = await create();
    fleet.worker("--name", name);
    const verdict = await queue.submit(await fleet.replay({ seed: 1, jumps: 1, skip: 10 }));
    expect(verdict).toMatchObject({ outcome: "ok", first: 10, starts: "state" });
    await queue.close();
  });
});

test("rejects bad options", async () => {
  const url = "redis://127.0.0.1:1";
  const rejects = async (made: Promise<unknown>, message: string) => expect(made).rejects.toThrow(message);
  await rejects(
    verifyQueue("http://a"),
    'verifyQueue: url must be an address that begins with redis:// or rediss://, got "http:".',
  );
  await rejects(
    verifyQueue(5 as never),
    "verifyQueue: url must be an address that begins with redis:// or rediss://, got 5.",
  );
  await rejects(
    verifyQueue(url, { name: "a:b" }),
    "verifyQueue: name must be a text of 1 to 64 letters, digits, - and _",
  );
  await rejects(
    verifyQueue(url, { maxBytes: 0 }),
    "verifyQueue: maxBytes must be a whole number, 1 or more, got 0.",
  );
  await rejects(verifyQueue(url, { max: 1 } as never), 'verifyQueue: unknown option "max".');
  await rejects(verifyQueue(url, { guard: { allow: ["Math.rand"] } }), "Math.rand");
  const worker = (options: object) => verifyWorker(url, options as WorkerOptions);
  await rejects(worker({}), 'verifyWorker: sims must be a string, got undefined. Try "sims".');
  await rejects(
    worker({ sims: "sims", jobs: 0 }),
    "verifyWorker: jobs must be a whole number, 1 or more, got 0.",
  );
  await rejects(
    worker({ sims: "sims", memory: 1 }),
    "verifyWorker: memory must be a whole number, 16 or more, got 1.",
  );
  await rejects(
    worker({ sims: "sims", timeout: 0 }),
    "verifyWorker: timeout must be a number from 0.001 to 86400, got 0.",
  );
  await rejects(worker({ sims: "no such folder" }), "no such folder");
});
