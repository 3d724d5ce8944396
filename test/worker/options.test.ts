// What workerSession and serveSimulation reject, and how they say it.
import { MessageChannel } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { inputLatch } from "../../src/input/index.js";
import { button, simulation } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { serveSimulation, workerSession } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";

const { port1, port2 } = new MessageChannel();
afterAll(() => {
  port1.close();
  port2.close();
});

const start = (options: object) => () => workerSession(arcade, port1, options).dispose();

describe("workerSession rejects", () => {
  test.each([
    [{ sed: 7 }, 'workerSession: unknown option "sed". Did you mean "seed"?'],
    [
      { memory: "fast" },
      'workerSession: memory must be "auto", "shared" or "transferred", got "fast". Try "auto".',
    ],
    [
      { present: "latest" },
      'workerSession: present must be "interpolate", "speculate" or "none", got "latest".',
    ],
    [{ inTime: 2 }, "workerSession: inTime must be a number from 0.5 to 1, got 2. Try 0.999."],
    [{ timeout: 0 }, "workerSession: timeout must be"],
    [{ saveEvery: -1 }, "workerSession: saveEvery must be"],
    [{ keepWorker: 1 }, "workerSession: keepWorker must be"],
    [{ from: [1] }, "workerSession: from must be a Uint8Array"],
    [{ seed: 0.5 }, "workerSession: seed must be a whole number or text, got 0.5"],
    [{ now: 5 }, "workerSession: now must be a function"],
    [{ inputs: 5 }, "workerSession: inputs must be a function or a source of inputs"],
  ])("%o", (options, message) => {
    expect(start(options)).toThrow(message);
  });

  test("what is no simulation, and what is no worker", () => {
    expect(() => workerSession({} as never, port1)).toThrow(/workerSession: simulation must be/);
    for (const worker of [undefined, {}, "game.worker.js", { postMessage() {} }])
      expect(() => workerSession(arcade, worker as never)).toThrow(
        /workerSession: worker must be a Worker or a MessagePort, got/,
      );
  });

  test("a latch of another simulation", () => {
    const other = simulation({
      name: "other",
      version: 1,
      rate: 60,
      players: 1,
      state: layout({ x: f64 }),
      input: { jump: button },
      step() {},
    });
    expect(start({ inputs: inputLatch(other.packing) })).toThrow(/this latch belongs to another simulation/);
  });
});

test("serveSimulation runs only in workers, or with a port", () => {
  expect(() => serveSimulation({} as never)).toThrow(/serveSimulation: simulation must be/);
  expect(() => serveSimulation(arcade, { prot: port2 } as never)).toThrow(/unknown option "prot"/);
  expect(() => serveSimulation(arcade, { onLoop: 8 as never, port: port2 })).toThrow(
    "serveSimulation: onLoop must be a function, got 8",
  );
  const end = serveSimulation(arcade, { port: port2 });
  end();
});

test("what needs a state says to wait for it", () => {
  const { port1: page, port2: other } = new MessageChannel();
  const session = workerSession(arcade, page);
  expect(() => session.hash()).toThrow(
    "Session.hash: no state has arrived from the worker yet. Wait for it: await session.ready.",
  );
  expect(() => session.bytes()).toThrow(/no state has arrived/);
  expect(() => session.command("build", { x: 1 })).toThrow(/the worker has not begun yet/);
  expect([session.tick, session.confirmed, session.first, session.last, session.rewinding]).toEqual([
    0,
    0,
    0,
    0,
    false,
  ]);
  expect(session.advance()).toBe("waiting");
  expect(session.view(0).x).toBe(0);
  session.dispose();
  other.close();
  expect(() => session.view(0)).toThrow(/already disposed/);
});

test("both ends of a channel in one thread: a session without a worker", async () => {
  const { port1: page, port2: own } = new MessageChannel();
  const end = serveSimulation(arcade, { port: own });
  const session = workerSession(arcade, page, { memory: "transferred" });
  await session.ready;
  while (session.tick < 5) {
    session.advance();
    await new Promise((resolve) => void setTimeout(resolve, 2));
  }
  expect(session.world.x).toBeGreaterThan(0);
  session.dispose();
  end();
  own.close();
});
