// `replay verify --queue` prints what `replay verify --sim` prints.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { Project } from "../cli/project.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet, MODES } from "./fleet.js";

describe.skipIf(!hasRedis)(`the command line with a queue${REDIS_NOTE}`, () => {
  let fleet: Fleet;
  afterAll(() => fleet?.stop());
  beforeAll(async () => {
    fleet = await Fleet.start();
    await fleet.record([
      ...Array.from({ length: 20 }, (_, i) => ({ file: `replays/0${i % 10}-${i}.twr`, seed: i, jumps: i })),
      { file: "replays/1-cheating.twr", seed: 1, jumps: 1, isCheating: true },
      { file: "replays/2-throws.twr", seed: 1, jumps: 1, mode: MODES.throws },
      { file: "replays/3-started-late.twr", seed: 1, jumps: 1, skip: 10 },
      { file: "replays/4-other.twr", seed: 1, jumps: 1, version: 7 },
    ]);
    const whole = fleet.bytes("replays/00-0.twr");
    fleet.project.write("replays/5-truncated.twr", whole.subarray(0, whole.length - 20));
    fleet.project.write(
      "replays/6-damaged.twr",
      whole.map((byte, i) => (i === whole.length - 30 ? ~byte : byte)),
    );
    fleet.project.write("replays/7-text.twr", "not a recording");
    fleet.project.write("replays/8-empty.twr", "");
    fleet.project.write("replays/9-head.twr", whole.subarray(0, 40));
  });

  const files = ["replays", "absent.twr"];
  const local = (...args: string[]) => fleet.verify("--sim", "sims/crates/1.mjs", ...args, ...files);
  const queued = (...args: string[]) => fleet.verify("--queue", fleet.url, ...args, ...files);

  test("prints the same lines and the same JSON, with the same status", async () => {
    const worker = fleet.worker();
    for (const args of [[], ["--json"], ["--guard", "--quiet"]]) {
      const [here, there] = [await local(...args), await queued(...args)];
      // Of another version, the local command knows only the simulation that it was given.
      const own = (text: string) =>
        text
          .split("\n")
          .filter((line) => !/"outcome":"other"|, version 7/.test(line))
          .join("\n");
      expect(own(there.stdout)).toBe(own(here.stdout));
      expect([there.status, there.stderr]).toEqual([here.status, ""]);
      expect(here.status).toBe(2);
    }
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("names the simulation that no worker has", async () => {
    const { stdout, status } = await fleet.verify("--queue", fleet.url, "replays/4-other.twr");
    expect(stdout).toBe(`\
other       replays/4-other.twr
            it is a recording of crates, version 7, which is not in the folder of simulations.
1 file: 1 other
`);
    expect(status).toBe(1);
  });

  test("has the verdicts of files that were verified before, without any worker", async () => {
    const { stdout, status } = await fleet.verify(
      "--queue",
      fleet.url,
      "replays/00-0.twr",
      "replays/1-cheating.twr",
    );
    expect(stdout).toContain("ok          replays/00-0.twr: ticks 0 to 60, 4 states compared\n");
    expect(stdout).toContain("differs     replays/1-cheating.twr: in state 30 (state 15 was equal)\n");
    expect(status).toBe(1);
  });

  test("rejects options that the workers decide, and files that are too long", async () => {
    const wrong = await fleet.verify("--queue", fleet.url, "--sim", "sims/crates/1.mjs", "replays");
    expect(wrong.stderr).toContain("--sim cannot be used with --queue");
    expect(wrong.status).toBe(2);
    const long = await fleet.verify("--queue", fleet.url, "--max-bytes", "100", "replays/00-0.twr");
    expect(long.stdout).toContain("too long for the queue: more than 100 bytes. Increase --max-bytes.");
    expect(long.status).toBe(2);
  });
});

describe("without Redis", () => {
  const project = new Project();
  afterAll(() => project.remove());

  test("rejects addresses without showing their passwords", async () => {
    for (const command of [
      ["replay", "verify", "a.twr"],
      ["worker", "--sims", "."],
    ]) {
      const { stderr, status } = await project.quick(...command, "--queue", "http://user:secret@host");
      expect(stderr).toMatch(/must be an address that begins with redis:\/\/ or rediss:\/\/, got "http:"/);
      expect(stderr).not.toContain("secret");
      expect(status).toBe(2);
    }
  });

  test("says what a worker lacks", async () => {
    expect((await project.quick("worker", "--queue", "redis://127.0.0.1:1")).stderr).toContain(
      "--sims FOLDER is required",
    );
    mkdirSync(project.path("nothing"));
    const { stderr, status } = await project.quick(
      "worker",
      "--queue",
      "redis://127.0.0.1:1",
      "--sims",
      "nothing",
    );
    expect(stderr).toMatch(/no simulations in .*nothing\. Add one, such as crates\/1\.mjs\./);
    expect(status).toBe(2);
  });

  test("says what to install", async () => {
    // A copy of the package in a place without BullMQ.
    const folder = mkdtempSync(join(tmpdir(), "tickwise-alone-"));
    try {
      cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
      cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
      const main = join(folder, "dist/cli/main.js");
      project.write("a.twr", "");
      const args = [main, "replay", "verify", "--queue", "redis://127.0.0.1:1", "a.twr"];
      const { stderr, status } = await project.run(process.execPath, args);
      expect(stderr).toContain(
        "bullmq and ioredis are not installed. Install them with: npm install bullmq ioredis.",
      );
      expect(status).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
