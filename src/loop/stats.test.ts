import { expect, test } from "vitest";
import { Span } from "../time/span.js";
import { GAIN, LoopStats, Tally } from "./stats.js";

test("totals hold all frames, recent figures the last 64 to 128", () => {
  const tally = new Tally();
  const stats = new LoopStats(tally, 0.1, new Span([10, 1]));
  for (let frame = 1; frame <= 1000; frame++) {
    tally.frame(frame <= 900 ? 1e9 : 2e9, frame <= 900 ? 1 : 2);
    expect(stats.frames).toBe(frame);
    expect(stats.recent.frames).toBe(frame < 64 ? frame : 64 + (frame % 64));
  }
  expect(stats.steps).toBe(1100);
  expect([stats.framesWith(1), stats.framesWith(2), stats.recent.framesWith(1)]).toEqual([900, 100, 4]);
  expect(stats.frameTime).toBe(1.1);
});

test("frames of many steps are counted together, and all their steps", () => {
  const tally = new Tally();
  const stats = new LoopStats(tally, 0.1, new Span([10, 1]));
  for (const steps of [8, 9, 100]) tally.count(1, steps);
  expect([stats.framesWith(8), stats.steps]).toEqual([3, 117]);
});

test("effective speed is what simulated time won on real time", () => {
  const tally = new Tally();
  const stats = new LoopStats(tally, 0.1, new Span([10, 1]));
  expect(stats.effectiveSpeed).toBe(1);
  tally.note(GAIN, -25);
  tally.frame(100, 0);
  expect(stats.effectiveSpeed).toBe(0.75);
});
