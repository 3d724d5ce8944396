// A worker freezes in the middle of a replay, and goes on after another one has taken over.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { verifyQueue } from "../../src/queue/index.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, until } from "./fleet.js";

let fleet: Fleet | undefined;
afterAll(() => fleet?.stop());

/** The two builds differ in what they read, so that their verdicts do. The first one waits for as long as a file exists. */
const moduleOf = (by: string) => `
import { existsSync, writeFileSync } from "node:fs";
import { make } from "../../game.mjs";

export default make(1, (_, tick) => {
  if (tick !== 50 || ${by !== "first"}) return;
  writeFileSync("begun", "");
  while (existsSync("hold")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
});
export const readResult = () => ${JSON.stringify(by)};
`;

test.skipIf(!hasRedis)(`the verdict that is stored first is final${REDIS_NOTE}`, async () => {
  fleet = await Fleet.start();
  const { project } = fleet;
  fleet.addSimulation(1, moduleOf("first"));
  mkdirSync(project.path("other/crates"), { recursive: true });
  project.write("other/crates/1.mjs", moduleOf("second"));
  project.write("hold", "");
  const bytes = await fleet.replay({ seed: 1, jumps: 1 });
  const queue = await verifyQueue(fleet.url);
  const submitted = queue.submit(bytes);

  const first = fleet.worker("--jobs", "1", "--takeover", "1");
  await until(() => existsSync(project.path("begun")));
  first.child.kill("SIGSTOP");
  const second = fleet.worker("--sims", "other", "--jobs", "1", "--takeover", "1");
  const verdict = await submitted;
  expect(verdict).toMatchObject({ outcome: "ok", result: "second" });

  // Its process has an answer of its own now.
  rmSync(project.path("hold"));
  first.child.kill("SIGCONT");
  await until(() => first.verdicts.length > 0);
  const [{ id, ...stored }] = first.verdicts as [(typeof first.verdicts)[0]];
  expect(stored).toEqual(verdict);
  expect(await queue.verdict(id)).toEqual(verdict);
  expect(second.verdicts).toEqual([{ id, ...verdict }]);
  await until(async () => (await queue.waiting()) === 0);

  // Both go on.
  const later = await fleet.replay({ seed: 2, jumps: 1 });
  expect(await queue.submit(later)).toMatchObject({ outcome: "ok" });
  expect([await first.end("SIGTERM"), await second.end("SIGTERM")]).toEqual([0, 0]);
  await queue.close();
});
