import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

test("the example runs the replays in its folder as tests, with node:test", () => {
  const args = ["--test", "--test-reporter", "tap", "examples/replays/replays.test.mjs"];
  // Remove the variable that makes a nested test runner report to its parent.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const output = execFileSync("node", args, { cwd: ROOT, encoding: "utf8", env });
  expect(output).toContain("third-landing.twr comes out as it was recorded");
  expect(output).toMatch(/^# pass 2$/m);
});
