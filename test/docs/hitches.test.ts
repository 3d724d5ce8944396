import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/hitches.md", import.meta.url), "utf8");
const results = JSON.parse(readFileSync(new URL("../../bench/results.json", import.meta.url), "utf8")) as {
  hitches: Record<string, { longest: number; median: number; gc: number }>;
};

test("the longest frames in docs/hitches.md match the bench results", () => {
  const { bench, ...figures } = results.hitches;
  expect(bench).toBe("hitches");
  const told = [...page.matchAll(/^\| `(\w+)`: .*\| (\d+) \| (\d+) \|$/gm)].map(
    ([, name, longest, median]) => [name, [Number(longest), Number(median)]],
  );
  const measured = Object.entries(figures).map(([name, { longest, median }]) => [name, [longest, median]]);
  expect(told).toEqual(measured);
});

test("so does what garbage collection took", () => {
  const text = page.replace(/\s+/g, " ");
  const [, garbage, noGarbage] = /collections took (\d+) ms in 180 frames with objects, and (\d+) ms/.exec(
    text,
  )!;
  expect([Number(garbage), Number(noGarbage)]).toEqual([
    results.hitches.garbage!.gc,
    results.hitches.noGarbage!.gc,
  ]);
});

test("and the cures are cures: each is better than what it replaces", () => {
  const { longest, median } = {
    longest: (name: string) => results.hitches[name]!.longest,
    median: (name: string) => results.hitches[name]!.median,
  };
  for (const [cure, problem] of [
    ["jsonInWorkerAsColumns", "jsonInWorker"],
    ["jsonInWorkerAsColumns", "jsonOnThePage"],
    ["imageBitmap", "imageByOnload"],
    ["imageBitmap", "imageByDecode"],
    ["shadersOnePerFrame", "shadersAtFirstUse"],
    ["shadersWarmedUp", "shadersOnePerFrame"],
    ["noGarbage", "garbage"],
  ] as const)
    for (const figure of [longest, median]) expect(figure(cure), cure).toBeLessThan(figure(problem));
});
