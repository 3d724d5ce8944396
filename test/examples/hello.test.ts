import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

test("the hello example runs for three seconds and prints its state", () => {
  const lines = execFileSync("node", ["examples/hello.mjs"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");
  expect(lines[0]).toBe("tick   0   time 0.000 s   height 20.000 m");
  // It uses the real clock, so the number of lines and steps depends on the machine.
  expect(lines.at(-1)).toMatch(/^\d+ frames, \d+ steps, [\d.e-]+ s lost, speed [\d.]+$/);
});
