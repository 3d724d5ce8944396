import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BUDGETS, measurePrograms } from "../../bench/size.mjs";

test("programs are within their budgets, minified and gzipped", async () => {
  const sizes = await measurePrograms();
  const over = Object.entries(BUDGETS).filter(([program, budget]) => !(sizes[program]! <= budget));
  expect(over.map(([program, budget]) => `${program}: ${sizes[program]} bytes, budget ${budget}`)).toEqual(
    [],
  );
});

test("one steady frame of the README's first program executes code of at most eight files", () => {
  const script = fileURLToPath(new URL("steady-frame.mjs", import.meta.url));
  const { files, moved } = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
  // One refresh at 100 units per second.
  expect(moved).toBeCloseTo(100 / 60, 9);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(8);
});
