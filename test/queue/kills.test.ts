// Workers are killed at random and restarted: no replay is lost, and none gets two different verdicts.
import { setTimeout } from "node:timers/promises";
import { QueueEvents } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, expect, test } from "vitest";
import { verifyQueue, type Verdict } from "../../src/queue/index.js";
import { FULL } from "../full.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, MODES, until, type Recording } from "./fleet.js";

const REPLAYS = FULL ? 10_000 : 200;
const WORKERS = 2;
/** A worker is killed after this many verdicts, at most. */
const MAX_VERDICTS = FULL ? 150 : 60;
/** Submissions of each submitter that wait at the same time. */
const AHEAD = 200;

let fleet: Fleet | undefined;
afterAll(() => fleet?.stop());

/** What must be found out about a replay. */
function expected({ jumps, isCheating, mode, version }: Recording): object {
  if (version === 9) return { outcome: "other" };
  if (mode === MODES.throws) return { outcome: "failed", tick: 50 };
  if (mode === MODES.crashes) return { outcome: "failed", quarantined: true, attempts: 3 };
  return isCheating
    ? { outcome: "differs", tick: 30, after: 15 }
    : { outcome: "ok", result: { score: jumps, tick: 60 } };
}

function recordingOf(index: number): Recording {
  const recording = { file: `replays/${index}.twr`, seed: index, jumps: index % 30 };
  // Rare, as each needs three processes.
  if (index % 100 === 99) return { ...recording, mode: MODES.crashes };
  if (index % 10 === 3) return { ...recording, isCheating: true };
  if (index % 10 === 7) return { ...recording, mode: MODES.throws };
  return index % 10 === 8 ? { ...recording, version: 9 } : recording;
}

test.skipIf(!hasRedis)(
  `${REPLAYS} replays, with workers killed at random, each get one verdict${REDIS_NOTE}`,
  { timeout: 3_600_000 },
  async () => {
    fleet = await Fleet.start();
    const recordings = Array.from({ length: REPLAYS }, (_, i) => recordingOf(i));
    await fleet.record(recordings);
    const files = recordings.map(({ file }) => fleet!.bytes(file));

    const start = () => fleet!.worker("--jobs", "2", "--takeover", "1");
    const running = Array.from({ length: WORKERS }, start);
    const queues = [await verifyQueue(fleet.url), await verifyQueue(fleet.url)] as const;

    let takenOver = 0;
    const connection = new Redis(fleet.url, { maxRetriesPerRequest: null });
    const events = new QueueEvents("verify", { connection, prefix: "tickwise" });
    events.on("stalled", () => takenOver++);

    // Two submitters with the same files, in opposite order.
    const begun = performance.now();
    const byQueue = [[], []] as Verdict[][];
    let isDone = false;
    const submitted = Promise.all(
      queues.map(async (queue, q) => {
        let next = 0;
        const runner = async () => {
          while (next < REPLAYS) {
            const index = q === 0 ? next++ : REPLAYS - 1 - next++;
            byQueue[q]![index] = await queue.submit(files[index]!);
          }
        };
        await Promise.all(Array.from({ length: AHEAD }, runner));
      }),
    ).finally(() => (isDone = true));

    let kills = 0;
    const killer = async () => {
      while (!isDone) {
        const index = Math.floor(Math.random() * WORKERS);
        const worker = running[index]!;
        // Some die before they have begun.
        const verdicts = Math.floor(Math.random() * MAX_VERDICTS);
        await until(() => isDone || worker.verdicts.length >= verdicts);
        // In the middle of something.
        await setTimeout(50 * Math.random());
        await worker.end("SIGKILL");
        kills++;
        running[index] = start();
      }
    };
    await Promise.all([submitted, killer()]);
    const seconds = (performance.now() - begun) / 1000;
    // What stalled workers had begun is taken over, and ends as well.
    await until(async () => (await queues[0].waiting()) === 0);

    const said = new Map<string, Set<string>>();
    const say = (id: string, verdict: Verdict) =>
      said.set(id, (said.get(id) ?? new Set()).add(JSON.stringify(verdict)));
    const printed = [...fleet.workers].flatMap(({ verdicts }) => verdicts);
    for (const { id, ...verdict } of printed) say(id, verdict as Verdict);
    for (const [index, bytes] of files.entries()) {
      const id = await queues[0].add(bytes);
      expect(byQueue[0]![index], `replay ${index}`).toMatchObject(expected(recordings[index]!));
      say(id, byQueue[0]![index]!);
      say(id, byQueue[1]![index]!);
      say(id, (await queues[0].verdict(id))!);
    }
    expect(said.size).toBe(REPLAYS);
    expect([...said.values()].filter((verdicts) => verdicts.size > 1)).toEqual([]);
    const quarantined = recordings.filter(({ mode }) => mode === MODES.crashes).length;
    expect((await queues[0].quarantined(1000)).length).toBe(quarantined);
    const again = printed.length - new Set(printed.map(({ id }) => id)).size;
    console.log(
      `${REPLAYS} replays in ${seconds.toFixed(1)} s: ${kills} workers killed, 0 lost, 0 with two verdicts, ${quarantined} quarantined; ${takenOver} taken over from dead workers, ${again} verified twice`,
    );
    // In a short run, the few that are killed may all have nothing to do.
    expect(takenOver).toBeGreaterThanOrEqual(FULL ? 1 : 0);
    await Promise.all([...queues, events].map((each) => each.close()));
    connection.disconnect();
  },
);
