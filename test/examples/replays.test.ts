import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

test("the replays in the folder of the example are tests, by node:test", () => {
  const args = ["--test", "--test-reporter", "tap", "examples/replays/replays.test.mjs"];
  // What a test runner started by another would tell it is not ours to read.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const told = execFileSync("node", args, { cwd: ROOT, encoding: "utf8", env });
  expect(told).toContain("third-landing.twr comes out as it was recorded");
  expect(told).toMatch(/^# pass 2$/m);
});
