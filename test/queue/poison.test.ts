// Replays that crash, hang or fill the memory are quarantined after three attempts, and harm nobody else.
import { afterAll, expect, test } from "vitest";
import { verifyQueue } from "../../src/queue/index.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, MODES } from "./fleet.js";

let fleet: Fleet | undefined;
afterAll(() => fleet?.stop());

const REASONS = {
  exits: "the simulation crashed in tick 50: it called process.exit, or was killed, with status 3",
  crashes: "the simulation crashed: its process ended with SIGKILL",
  hangs: "the step of tick 50 does not return: gave up after 5 s",
  fillsHeap: "the simulation crashed in tick 50: out of memory: it needed more than 128 MB (--memory)",
  fillsBuffers: "the simulation crashed in tick 50: out of memory: it needed more than 128 MB (--memory)",
};

test.skipIf(!hasRedis)(`poison is quarantined after 3 attempts, with a reason${REDIS_NOTE}`, async () => {
  fleet = await Fleet.start();
  const names = Object.keys(REASONS) as (keyof typeof REASONS)[];
  await fleet.record([
    ...names.map((name, seed) => ({ file: `replays/${name}.twr`, seed, jumps: 1, mode: MODES[name] })),
    ...Array.from({ length: 40 }, (_, i) => ({ file: `replays/${i}.twr`, seed: i, jumps: 2 })),
  ]);
  const worker = fleet.worker("--jobs", "2", "--timeout", "5", "--memory", "128");
  const queue = await verifyQueue(fleet.url);
  const bad = names.map((name) => queue.submit(fleet!.bytes(`replays/${name}.twr`)));
  const good = Array.from({ length: 40 }, (_, i) => queue.submit(fleet!.bytes(`replays/${i}.twr`)));

  for (const verdict of await Promise.all(good))
    expect(verdict).toMatchObject({ outcome: "ok", result: { score: 2 } });
  const verdicts = await Promise.all(bad);
  for (const [i, name] of names.entries()) {
    const reason = REASONS[name];
    expect(verdicts[i]).toMatchObject({
      outcome: name === "hangs" ? "timeout" : "failed",
      message: `${reason} (quarantined after 3 attempts)`,
      quarantined: true,
      attempts: 3,
    });
    // Three times in all, and each was printed.
    const sharing = names.filter((other) => REASONS[other] === reason).length;
    expect(worker.stderr.split(`: ${reason}\n`).length - 1, worker.stderr).toBe(3 * sharing);
  }
  // It is the same process as in the beginning.
  expect([worker.child.exitCode, worker.child.signalCode]).toEqual([null, null]);

  // They are kept for the operator, and nobody runs them again.
  await expect.poll(async () => (await queue.quarantined()).length).toBe(names.length);
  const kept = (await queue.quarantined()).find(({ reason }) => reason.startsWith(REASONS.hangs))!;
  expect(new Uint8Array(kept.bytes)).toEqual(fleet.bytes("replays/hangs.twr"));
  const before = worker.stderr;
  expect(await queue.submit(fleet.bytes("replays/exits.twr"))).toEqual(verdicts[0]);
  expect(worker.stderr).toBe(before);

  // After a fix of the simulation, the operator releases one.
  await worker.end("SIGTERM");
  fleet.addSimulation(
    1,
    'import { make } from "../../game.mjs";\nglobalThis.isRecording = true;\nexport default make(1);\n',
  );
  fleet.worker();
  await queue.forget(kept.id);
  expect(await queue.submit(fleet.bytes("replays/hangs.twr"))).toMatchObject({ outcome: "ok" });
  expect((await queue.quarantined()).map(({ id }) => id)).not.toContain(kept.id);
  await queue.close();
});
