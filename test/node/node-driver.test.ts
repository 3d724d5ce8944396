// The Node driver in real processes: on time, under load, and stopped for a while.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { NodeOptions } from "../../src/drivers/node.js";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
const PRECISIONS = ["low", "high", "exclusive"] as const;

interface Report {
  frames: number;
  steps: number;
  lost: number;
  overloads: number[];
  elapsed: number;
  others: number;
}

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

function run(driver: NodeOptions, rate = 60, seconds = 2) {
  const child = spawn(process.execPath, [CHILD, JSON.stringify({ driver, rate, seconds })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  return {
    child,
    started: once(child.stdout, "data"),
    /** What it printed, once it has ended by itself. */
    async report(): Promise<Report> {
      const [code] = await once(child, "close");
      expect(code).toBe(0);
      return JSON.parse(output.split("\n").at(-2) ?? "");
    },
  };
}

/** By how many steps the simulated time is off what has passed, less what was lost: the last may be late by one. */
const stepsOff = ({ steps, lost, elapsed }: Report, rate: number) =>
  Math.abs(steps + (lost - elapsed) * rate);

describe.each(PRECISIONS)("precision %s", (precision) => {
  test("keeps the time at any rate, and ends by itself", async () => {
    const rates = [60, 128, 7];
    const reports = await Promise.all(rates.map((rate) => run({ precision }, rate).report()));
    for (const [i, report] of reports.entries()) expect(stepsOff(report, rates[i]!)).toBeLessThanOrEqual(2);
  });

  test("keeps the time under load", async () => {
    const spin = ["--eval", "for (;;);"];
    children.push(
      spawn(process.execPath, spin),
      spawn(process.execPath, spin),
      spawn(process.execPath, spin),
    );
    expect(stepsOff(await run({ precision }).report(), 60)).toBeLessThanOrEqual(2);
  });
});

test("stopped for 2 s, as by a debugger, it loses what the clamp cuts and goes on", async () => {
  const { child, started, report } = run({ precision: "high" }, 60, 4);
  await started;
  await setTimeout(500);
  child.kill("SIGSTOP");
  const before = performance.now();
  await setTimeout(2000);
  child.kill("SIGCONT");
  const stopped = (performance.now() - before) / 1000;
  const result = await report();
  // All but the quarter of a second that a frame may have.
  expect(Math.abs(result.lost - (stopped - 0.25))).toBeLessThan(0.2);
  expect(result.overloads.length).toBeGreaterThanOrEqual(1);
  expect(stepsOff(result, 60)).toBeLessThanOrEqual(2);
});

test("high precision leaves the event loop its turns", async () => {
  const { others } = await run({ precision: "high" }).report();
  // An interval of 10 ms over 2 s.
  expect(others).toBeGreaterThan(100);
});

test("frames may have a rate of their own", async () => {
  const report = await run({ frameRate: 30 }, 120).report();
  expect(report.frames).toBeLessThanOrEqual(62);
  expect(stepsOff(report, 120)).toBeLessThanOrEqual(6);
});
