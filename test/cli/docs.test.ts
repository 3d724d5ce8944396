// Runs the commands of docs/cli.md, and compares their output with the page.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { Project } from "./project.js";

const page = readFileSync(join(ROOT, "docs/cli.md"), "utf8");
const examples = [...page.matchAll(/^```console\n\$ npx tickwise (.*)\n([^]*?)```$/gm)].map(
  ([, command, shown]) => [command!, shown!] as const,
);

const project = new Project();
beforeAll(async () => {
  for (const [, name, code] of page.matchAll(/^```js\n\/\/ (\S+)\n([^]*?)```$/gm))
    project.write(name!, code!);
  await project.record();
  // Keep only as many as the page shows.
  for (let seed = 43; seed < 50; seed++) rmSync(project.path(`replays/deep/${seed}.twr`));
  await project.recordTwo("mine.twr", "theirs.twr");
  await project.report({ file: "report.twd", games: ["./game.mjs", "./game.mjs#hot"], tick: 201 });
});
afterAll(() => project.remove());

// The size of a deflated state differs between platforms.
const plain = (text: string) => text.replace(/[\d,]+ bytes/g, "N bytes");

test("the page has examples", () => expect(examples.length).toBeGreaterThan(8));

test.each(examples)("tickwise %s", async (command, shown) => {
  const { stdout, stderr } = await project.tickwise(...command.split(" "));
  expect(stderr).toBe("");
  expect(plain(stdout)).toBe(plain(shown));
});
