import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measureSizes, sizeOf } from "../../bench/size.mjs";
import * as mathematics from "../../src/math/index.js";
import { functionsOf } from "../math/functions.js";
import { statedErrors } from "../math/stated.js";
import { errorAtWorst } from "../math/worst.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const results = JSON.parse(readFileSync(new URL("../../bench/results.json", import.meta.url), "utf8"));

/** The programs in the README's table of sizes. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "`new Loop` with `advance`": "raw",
  "a page: `Loop` and `display()`": "loop",
  "the same with `smooth`": "loopSmooth",
};

test("the README's sizes match the built package", async () => {
  const told = [...readme.matchAll(/^\| (.+?) \| ([\d.]+) KB \|$/gm)];
  const sizes: Record<string, number> = await measureSizes();
  const names = told.map(([, what]) => PROGRAMS[what!] ?? what!.slice(1, -1));
  expect(names).toEqual([
    ...Object.values(PROGRAMS),
    ...Object.keys(sizes).filter((name) => name.startsWith("tickwise/")),
  ]);
  for (const [i, [, , size]] of told.entries())
    // Compressors differ by a few bytes from one version of Node to the next.
    expect(Math.abs(sizes[names[i]!]! / 1024 - Number(size)), names[i]).toBeLessThan(0.1);
});

test("the README's ratios match the bench results", () => {
  const told = [...readme.matchAll(/^\| `(\w+)` \|.*\| ([\d.]+) \|$/gm)].map(([, name, ratio]) => [
    name,
    Number(ratio),
  ]);
  const { bench, ...ratios } = results.loop;
  expect(bench).toBe("loop");
  expect(Object.fromEntries(told)).toEqual(ratios);
});

test("the judder in docs/smoothness.md matches the bench results", () => {
  const page = readFileSync(new URL("../../docs/smoothness.md", import.meta.url), "utf8");
  const row = (name: string) => {
    const line = page.split("\n").find((text) => text.startsWith(`| ${name}`))!;
    const [chrome, coarse, late] = [...line.matchAll(/\d+\.\d+/g)].map(Number);
    return { chrome, coarse, late };
  };
  expect(row("**Tickwise**")).toEqual(results.pacing.rms);
  expect(row("accumulator fed by `performance.now()`")).toEqual(results.pacing.plainNow);
  expect(row("accumulator fed by the timestamp")).toEqual(results.pacing.plainRaf);
});

const math = readFileSync(new URL("../../docs/math.md", import.meta.url), "utf8");

const functions = functionsOf(mathematics);

test("the errors and costs in docs/math.md match the sources and the bench results", () => {
  const stated = statedErrors();
  const { ratio } = results.math;
  const rows = Object.keys(stated).map((name) => {
    const over = name in ratio ? ratio[name].toFixed(2) : "";
    const found = errorAtWorst(name, functions[name]!);
    return `| \`${name}\` | ${stated[name]!.toFixed(2)} | ${found.toFixed(2)} | ${over} |`;
  });
  expect(math.match(/^\| `.*$/gm)?.sort()).toEqual(rows.sort());
});

test("the ten most common functions take at most 6 KB", async () => {
  const ten = /The ten most common functions \(([^)]*)\) take ([\d.]+) KB/.exec(math.replace(/\s+/g, " "))!;
  const names = ten[1]!.replaceAll("`", "");
  const bytes = await sizeOf(`export { ${names} } from "./dist/math/index.js";`);
  expect(bytes).toBeLessThanOrEqual(6 * 1024);
  expect(Math.abs(bytes / 1024 - Number(ten[2]))).toBeLessThan(0.1);
});

test("the latencies in docs/simulation.md match the bench results", () => {
  const page = readFileSync(new URL("../../docs/simulation.md", import.meta.url), "utf8");
  const [, ahead, behind] = /visible after ([\d.]+) ms on average instead of ([\d.]+) ms/.exec(
    page.replace(/\s+/g, " "),
  )!;
  const { interpolate, speculate } = results.pacing.inputToPhotonMs;
  expect(Number(ahead)).toBeCloseTo(speculate["60 on 144"], 1);
  expect(Number(behind)).toBeCloseTo(interpolate["60 on 144"], 1);
});
