// Figures about step rates. docs/choosing-a-rate.md quotes them, and `npm run bench -- rates` prints them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { latencies, overlaps, STEP_RATES, THINKINGS, thoughts } from "../../scenes/rates.js";
import { crowd } from "../../scenes/crowd.js";
import { syncTest } from "../../src/sim/index.js";
import { FULL } from "../full.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const results = JSON.parse(read("bench/results.json")).rates;
const page = read("docs/choosing-a-rate.md");

/** The cells of the row of the page that begins with this text, without the first cell. */
const rowOf = (name: string) =>
  page
    .split("\n")
    .find((line) => line.startsWith(`| ${name} |`))!
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim());

test.runIf(FULL)(
  "the bench printed the delays, overlaps and thoughts that are computed in virtual time",
  () => {
    expect(results.latencyMs).toEqual(latencies(60));
    expect(results.overlaps).toEqual(overlaps());
    expect(results.thoughts).toEqual(thoughts());
  },
);

test("the table of rates has the figures of the bench", () => {
  for (const rate of STEP_RATES) {
    const latency = results.latencyMs[rate];
    expect(rowOf(String(rate))).toEqual([
      `${(1000 / rate).toFixed(1)} ms`,
      `${(50 / rate).toFixed(2)} m`,
      `${latency["on 60"].toFixed(1)} ms`,
      `${latency["on 144"].toFixed(1)} ms`,
      `${results.overlaps[rate].depth.toFixed(1)} %`,
      results.costOver60[rate].toFixed(2),
    ]);
  }
  const [at30, at60] = [results.overlaps[30].pairs, results.overlaps[60].pairs];
  expect(page.replaceAll(/\s+/g, " ")).toContain(`${at30} pairs at 30 steps per second, ${at60} at 60.`);
});

test("the table of agents has the figures of the bench", () => {
  for (const thinking of THINKINGS) {
    const { mean, max } = results.thoughts[thinking];
    const cost = results.thinking[thinking];
    expect(rowOf(thinking)).toEqual([
      mean.toFixed(1),
      String(max),
      cost.mean.toFixed(2),
      cost.worst.toFixed(2),
    ]);
  }
});

test.each(THINKINGS)("a crowd that thinks %s is deterministic", (thinking) => {
  expect(syncTest(crowd(thinking), { ticks: 40 }).message).toBe("");
});
