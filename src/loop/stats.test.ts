import { expect, test } from "vitest";
import { Span } from "../time/span.js";
import { FORCED, GAIN } from "./tally-fields.js";
import { LoopStats } from "./stats.js";
import { Tally } from "./tally.js";

/** Creates the stats of a loop with ten steps per second, and the simulated seconds that they read. */
function stats() {
  const progress = { seconds: 0 };
  const tally = new Tally(
    () => progress.seconds,
    () => 0,
  );
  return { progress, tally, stats: new LoopStats(tally, { dt: 0.1 }, new Span([10, 1])) };
}

test("totals cover all frames, recent figures the last 128 to 256", () => {
  const { progress, tally, stats: figures } = stats();
  for (let frame = 1; frame <= 1000; frame++) {
    progress.seconds += frame <= 900 ? 1 : 2;
    tally.count(frame <= 900 ? 1 : 2);
    expect(figures.frames).toBe(frame);
    expect(figures.recent.frames).toBe(frame < 128 ? frame : 128 + (frame % 128));
  }
  expect(figures.steps).toBe(1100);
  expect([figures.framesWith(1), figures.framesWith(2), figures.recent.framesWith(1)]).toEqual([
    900, 100, 132,
  ]);
  expect(figures.frameTime).toBe(1.1);
  expect(figures.recent.frameTime).toBe((132 + 2 * 100) / 232);
});

test("frames with 8 or more steps are counted together, with all of their steps", () => {
  const { tally, stats: figures } = stats();
  for (const steps of [8, 9, 100]) tally.count(steps);
  expect([figures.framesWith(8), figures.steps]).toEqual([3, 117]);
});

test("effective speed is simulated time over real time, without forced steps", () => {
  const { progress, tally, stats: figures } = stats();
  expect(figures.effectiveSpeed).toBe(1);
  tally.note(GAIN, -25e9);
  tally.note(FORCED, 5e9);
  progress.seconds = 80;
  tally.count(0);
  expect([figures.effectiveSpeed, figures.frameTime]).toEqual([0.75, 100]);
});
