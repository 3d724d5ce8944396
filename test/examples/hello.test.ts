import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

test("the hello example falls for three seconds and says so", () => {
  const lines = execFileSync("node", ["examples/hello.mjs"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");
  expect(lines[0]).toBe("tick   0   time 0.000 s   height 20.000 m");
  // How many lines and steps depends on how busy the machine is: its clock is the real one.
  expect(lines.at(-1)).toMatch(/^\d+ frames, \d+ steps, [\d.e-]+ s lost, speed [\d.]+$/);
});
