// Redis goes away and comes back: workers and submitters wait, and go on.
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { verifyQueue } from "../../src/queue/index.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, until } from "./fleet.js";

let fleet: Fleet | undefined;
afterEach(() => fleet?.stop());

const files = Array.from({ length: 60 }, (_, i) => ({ file: `replays/${i}.twr`, seed: i, jumps: i % 30 }));

test.skipIf(!hasRedis)(
  `a Redis that loses everything: who still waits submits again${REDIS_NOTE}`,
  async () => {
    fleet = await Fleet.start();
    await fleet.record(files);
    const said: boolean[] = [];
    const queue = await verifyQueue(fleet.url, { onConnection: (isUp) => said.push(isUp) });
    const all = Promise.all(files.map(({ file }) => queue.submit(fleet!.bytes(file))));
    await until(async () => (await queue.waiting()) === files.length);
    await fleet.redis.kill();
    const worker = fleet.worker("--takeover", "1");
    await until(() => worker.stderr.includes("waiting for Redis"));
    await fleet.redis.restart();
    const verdicts = await all;
    expect(verdicts.map((verdict) => verdict.outcome === "ok" && verdict.result)).toEqual(
      files.map(({ jumps }) => ({ score: jumps, tick: 60 })),
    );
    expect(worker.stderr).toContain(`Redis at 127.0.0.1:${fleet.redis.port} is back`);
    expect(said).toEqual([true, false, true]);
    // Again, while the worker is idle: it notices, and goes on.
    await fleet.redis.restart();
    expect(await queue.submit(fleet.bytes("replays/0.twr"))).toEqual(verdicts[0]);
    await queue.close();
  },
);

test.skipIf(!hasRedis)(
  `a Redis that writes to disk: replays whose submitter has gone are not lost, and verdicts stay${REDIS_NOTE}`,
  async () => {
    fleet = await Fleet.start("--appendonly", "yes", "--appendfsync", "always");
    await fleet.record(files);
    const queue = await verifyQueue(fleet.url);
    const ids = await Promise.all(files.map(({ file }) => queue.add(fleet!.bytes(file))));
    await queue.close();
    await fleet.redis.kill();
    await fleet.redis.restart();
    const worker = fleet.worker("--takeover", "1");
    await until(() => worker.verdicts.length >= 10);
    // In the middle of the work.
    await fleet.redis.kill();
    await fleet.redis.restart();
    const other = await verifyQueue(fleet.url);
    await until(async () => (await Promise.all(ids.map((id) => other.verdict(id)))).every(Boolean));
    await until(async () => (await other.waiting()) === 0);
    const verdicts = await Promise.all(ids.map((id) => other.verdict(id)));
    expect(verdicts.map((verdict) => verdict?.outcome === "ok" && verdict.result)).toEqual(
      files.map(({ jumps }) => ({ score: jumps, tick: 60 })),
    );
    for (const { id, ...verdict } of worker.verdicts) expect(verdict).toEqual(verdicts[ids.indexOf(id)]);
    await other.close();
  },
);

test.skipIf(!hasRedis)(
  `a full Redis refuses replays, and goes on when it has room${REDIS_NOTE}`,
  async () => {
    fleet = await Fleet.start("--maxmemory", "8mb", "--maxmemory-policy", "noeviction");
    const queue = await verifyQueue(fleet.url);
    const junk = (i: number) => new Uint8Array(500_000).fill(i);
    const refused = async () => {
      for (let i = 0; i < 40; i++) await queue.add(junk(i));
    };
    await expect(refused()).rejects.toThrow("VerifyQueue.add: Redis is out of memory. Try again later.");
    const worker = fleet.worker();
    await until(async () => (await queue.waiting()) === 0);
    expect(worker.verdicts[0]).toMatchObject({ outcome: "unreadable" });
    const bytes = await fleet.replay({ seed: 1, jumps: 3 });
    expect(await queue.submit(bytes)).toMatchObject({ outcome: "ok", result: { score: 3 } });
    await queue.close();
    expect(await worker.end("SIGTERM")).toBe(0);
  },
);

test.skipIf(!hasRedis)(`a worker without Redis ends when it is told to${REDIS_NOTE}`, async () => {
  fleet = await Fleet.start();
  const worker = fleet.worker();
  await until(() => worker.stderr.includes("verifying replays of crates/1.mjs"));
  await fleet.redis.kill();
  await until(() => worker.stderr.includes("waiting for Redis"));
  expect(await worker.end("SIGTERM")).toBe(0);
  await expect(
    new Promise((_, reject) => connect(fleet!.redis.port, "127.0.0.1").on("error", reject)),
  ).rejects.toThrow("ECONNREFUSED");
});

test.skipIf(!hasRedis)(`a wrong password is an error, and is not shown${REDIS_NOTE}`, async () => {
  fleet = await Fleet.start("--requirepass", "secret");
  const bytes = await fleet.replay({ seed: 1, jumps: 3 });
  const [open, wrong, right] = ["", "user:mistaken@", ":secret@"].map((login) =>
    fleet!.url.replace("//", `//${login}`),
  );
  for (const url of [open!, wrong!]) {
    const { status, stdout, stderr } = await fleet.verify("--queue", url, "one.twr");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/tickwise: Redis: (NOAUTH|WRONGPASS)/);
    const worker = fleet.worker("--queue", url);
    await until(() => /(NOAUTH|WRONGPASS)/.test(worker.stderr));
    expect(await worker.end("SIGTERM")).toBe(0);
    expect(stderr + worker.stderr).not.toMatch(/secret|mistaken/);
  }
  const worker = fleet.worker("--queue", right!);
  const queue = await verifyQueue(right!);
  expect(await queue.submit(bytes)).toMatchObject({ outcome: "ok" });
  await queue.close();
  expect(await worker.end("SIGTERM")).toBe(0);
});
