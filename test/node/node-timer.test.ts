// Tests nodeTimer in real processes. These may be late, so the results are judged by the frames that ran;
// src/loop/drivers/node.test.ts tests their timing, on a virtual clock.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { NodeTimerOptions } from "../../src/loop/drivers/node.js";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));

const FRAMES = 20;
/** Maximum seconds of a frame: the loop drops time beyond it. */
const CLAMP = 0.25;

interface Report {
  /** When each frame was due, in milliseconds, and the seconds that it had. */
  stamps: number[];
  deltas: number[];
  steps: number;
  lost: number;
  overloads: number;
}

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

function run(timer: NodeTimerOptions, rate: number, gap = 0) {
  const options = { timer, rate, gap, frames: FRAMES };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  return {
    child,
    running: once(child.stdout, "data"),
    /** The output of the process, once it has ended by itself. */
    async report(): Promise<Report> {
      const [code] = await once(child, "close");
      expect(code).toBe(0);
      return JSON.parse(output.split("\n").at(-2) ?? "");
    },
  };
}

/** All time between its frames was simulated, or lost to the clamp and reported. */
function expectExact(report: Report, rate: number): void {
  const { stamps, deltas } = report;
  deltas.forEach((delta, i) => {
    const gap = i > 0 ? (stamps[i]! - stamps[i - 1]!) / 1000 : 0;
    // What the first frame took is not game time.
    expect(delta).toBeGreaterThanOrEqual(i === 1 ? 0 : gap - 1e-9);
    expect(delta).toBeLessThanOrEqual(gap + 1e-9);
  });
  const lost = deltas.reduce((sum, delta) => sum + Math.max(0, delta - CLAMP), 0);
  const elapsed = deltas.reduce((sum, delta) => sum + delta, 0);
  expect(report.lost).toBeCloseTo(lost, 6);
  expect(report.steps).toBe(Math.floor((elapsed - lost) * rate + 1e-6));
}

test.each(["low", "high", "exclusive"] as const)(
  "precision %s: simulates what its frames say, at any rate, and ends by itself",
  async (precision) => {
    const rates = [60, 128, 7];
    const reports = await Promise.all(rates.map((rate) => run({ precision }, rate).report()));
    for (const [i, report] of reports.entries()) {
      expect(report.stamps.length).toBe(FRAMES);
      expectExact(report, rates[i]!);
    }
  },
);

test("after a second in a debugger, drops the clamped time and continues", async () => {
  const { child, running, report } = run({ precision: "high" }, 60, 1);
  await running;
  child.kill("SIGSTOP");
  await setTimeout(1200);
  child.kill("SIGCONT");
  const result = await report();
  expect(result.overloads).toBeGreaterThanOrEqual(1);
  expectExact(result, 60);
});
