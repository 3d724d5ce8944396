// A worker, or the whole process, that stands still for a while and continues.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { localSession } from "../../src/sim/index.js";
import { workerSession } from "../../src/worker/index.js";
import { FULL } from "../full.js";
import { arcade } from "./arcade.js";
import { useWorkers } from "./start-worker.js";

const workers = useWorkers();

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  test("a worker that is suspended: the picture holds, the lost time is counted, and the game continues", async () => {
    const worker = await workers.start("suspended.worker");
    const session = workerSession(arcade, worker, { memory });
    await session.ready;
    let x = 0;
    const drawUntil = async (isDone: () => boolean) => {
      while (!isDone()) {
        session.advance();
        const { starvedFrames } = session.timing;
        const shown = session.view(0).x;
        expect(shown).toBeGreaterThanOrEqual(x);
        const isStarved = session.timing.starvedFrames > starvedFrames;
        expect(isStarved ? session.world.x : shown).toBe(shown);
        x = shown;
        await setTimeout(4);
      }
    };
    await drawUntil(() => session.tick > 20);
    const { starvedFrames } = session.timing;
    worker.postMessage({ suspend: 1200 });
    await drawUntil(() => session.timing.starvedFrames > starvedFrames + 10);
    const { tick } = session;
    await drawUntil(() => session.tick > tick + 30);
    expect(session.failure).toBeUndefined();
    // Of 1.2 s, a loop catches up 0.25 s.
    expect((await session.stats()).lostSeconds).toBeGreaterThan(0.9);
    const local = localSession(arcade);
    local.load(await session.save());
    const straight = localSession(arcade);
    straight.skip(local.tick);
    expect(local.hash()).toEqual(straight.hash());
    session.dispose();
  });

  // One mode is enough in a short run: the clocks are the same.
  test.skipIf(process.platform === "win32" || (memory === "transferred" && !FULL))(
    "a process that is stopped for longer than the timeout: nobody counts as dead, and the game continues",
    async () => {
      const page = await workers.bundle("stopped-page");
      const worker = await workers.bundle("arcade.worker");
      const child = spawn(process.execPath, [page, worker, memory], { stdio: ["ignore", "pipe", "inherit"] });
      const lines: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        lines.push(line);
        if (line !== "stop me") continue;
        child.kill("SIGSTOP");
        await setTimeout(1800);
        child.kill("SIGCONT");
      }
      expect(lines[0]).toBe("stop me");
      expect(JSON.parse(lines[1]!)).toEqual({ backwards: 0, isSame: true });
    },
  );
});
