import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { parsedDocs } from "../../site/pages/docs.js";
import { runnableModule, runsInBrowser } from "../../site/pages/docs/runnable.js";
import { blocksOf } from "../docs/blocks.js";

test("all blocks that the tests run have a button, except those that need Node or a module without a page", () => {
  const docs = parsedDocs();
  const tested = docs
    .filter(({ source }) => !source.file.startsWith("docs/reference/"))
    .flatMap(({ source }) => blocksOf(source.file, readFileSync(join(ROOT, source.file), "utf8")));
  const runnable = new Set(docs.flatMap(({ blocks }) => blocks.map(({ code }) => code)));
  expect(runnable.size).toBeGreaterThan(140);
  const without = tested.filter(({ code, runs }) => runs && !runnable.has(code));
  expect(without.length).toBeGreaterThan(0);
  for (const { code, file, line } of without) {
    expect(code, `${file}:${line}`).toMatch(
      /"(node:|tickwise\/(node|worker)|@babylonjs|ammojs)|\bBuffer\b|import\.meta/,
    );
  }
  for (const { code } of tested.filter(({ runs }) => !runs)) expect(runnable).not.toContain(code);
});

test("code that needs Node does not run in a page", () => {
  expect(runsInBrowser('import { Loop } from "tickwise";')).toBe(true);
  expect(runsInBrowser('import {\n  a,\n  b,\n} from "tickwise/sim";')).toBe(true);
  expect(runsInBrowser('import { readFileSync } from "node:fs";')).toBe(false);
  expect(runsInBrowser('import {\n  a,\n} from "tickwise/server";')).toBe(false);
  expect(runsInBrowser('const { a } = await import("tickwise");')).toBe(false);
  expect(runsInBrowser("console.log(process.argv);")).toBe(false);
});

test("a block becomes a function of the console, without types, with the imports of the page", async () => {
  const code = await runnableModule(`import { Loop, type LoopOptions } from "tickwise";
import type { View } from "tickwise/blend";

const options: LoopOptions = { rate: 60 };
export const loop = new Loop(options);
console.log(await loop.dt as number);
`);
  expect(code).toBe(`import { Loop } from "./tickwise.js";
export default async (console) => {
const options = { rate: 60 };
const loop = new Loop(options);
console.log(await loop.dt);
};
`);
});
