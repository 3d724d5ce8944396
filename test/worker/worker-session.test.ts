// A session in a real worker of Node, in both modes.
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inputLatch } from "../../src/input/index.js";
import { workerSession } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";
import { useWorkers } from "./start-worker.js";

const workers = useWorkers();

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  test("slice", async () => {
    const latch = inputLatch(arcade.packing);
    const session = workerSession(arcade, await workers.start("arcade.worker"), { memory, inputs: latch });
    await session.ready;
    const seen: number[] = [];
    const effects: unknown[] = [];
    session.on("effect", (effect) => effects.push(effect));
    for (let i = 0; i < 60; i++) {
      if (i === 20) latch.press("fire", performance.now());
      if (i === 22) latch.release("fire", performance.now());
      session.advance();
      const view = session.view(0);
      seen.push(view.x);
      await setTimeout(16);
    }
    console.log(
      session.memoryReason,
      session.tick,
      JSON.stringify(session.timing),
      session.world.presses,
      session.world.releases,
      effects,
    );
    console.log(seen.slice(0, 5), seen.slice(-5));
    expect(session.tick).toBeGreaterThan(0);
    session.dispose();
  });
});
