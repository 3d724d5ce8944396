import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { workerSession } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";

test("a worker that loads slowly is not dead, however short the timeout is; one that never greets is", () => {
  const { port1 } = new MessageChannel();
  let now = 0;
  const session = workerSession(arcade, port1, { timeout: 0.5, now: () => now });
  const failures: string[] = [];
  session.on("failed", ({ reason, error }) => failures.push(`${reason}: ${error.message}`));
  for (; now <= 30_000; now += 100) session.advance();
  expect(failures).toEqual([]);
  expect(() => session.advance()).toThrow("30 s");
  expect(failures).toEqual(["silent: nothing was heard for 30 s"]);
  session.dispose();
});
