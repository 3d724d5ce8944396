// The models of "Thread", without a page.
import { expect, test } from "vitest";
import { FrameMeter, refreshOf } from "../../lab/src/thread/frame-meter.js";
import { histogramOf } from "../../lab/src/thread/histogram.js";
import { describeMemory } from "../../lab/src/thread/page-text.js";
import { pile } from "../../lab/src/thread/pile.js";
import { localSession } from "../../src/sim/index.js";

test("what a step costs does not change its result", () => {
  const hashes = [0, 2].map((cost) => {
    const session = localSession(pile, { inputs: ([player]) => void (player.cost = cost) });
    for (let i = 0; i < 40; i++) session.advance();
    return session.toJSON();
  });
  expect(hashes[1]).toEqual(hashes[0]);
});

test("a frame meter counts late frames, and frames and ticks per second", () => {
  const meter = new FrameMeter(() => 10);
  expect([meter.lateShare, meter.rates.frames]).toEqual([NaN, NaN]);
  // 100 Hz, two ticks per frame, and every fifth frame takes two refreshes.
  let at = 0;
  for (let i = 0; i < 200; i++) meter.add((at += i % 5 === 0 ? 20 : 10), 2 * i);
  expect(meter.lateShare).toBeCloseTo(0.2, 2);
  expect(meter.rates).toEqual({ frames: 84, ticks: 168 });
  expect(meter.intervals.slice(-5).sort((a, b) => a - b)).toEqual([10, 10, 10, 10, 20]);
  for (let i = 0; i < 500; i++) meter.add((at += 10), 0);
  expect([meter.lateShare, meter.intervals.length]).toEqual([0, 240]);
  // A pause is no long frame.
  meter.pause();
  meter.add((at += 5000), 0);
  meter.add((at += 10), 0);
  expect(meter.intervals).toEqual([10]);
});

test("a refresh is as long as the short frames", () => {
  expect(refreshOf([5, 5])).toBeCloseTo(1000 / 60);
  const intervals = Array.from({ length: 100 }, (_, i) => (i % 2 ? 13.9 : 6.94));
  expect(refreshOf(intervals)).toBe(6.94);
});

test("a histogram counts all lags, and has room for the delay", () => {
  const { counts, bin, end } = histogramOf([-1, 0.1, 3, 3.1, 7.4], 8);
  expect([end, bin, counts.length]).toEqual([10, 0.25, 40]);
  expect([counts[0], counts[12], counts[29]]).toEqual([2, 2, 1]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(5);
  expect(histogramOf([], 15).end).toBe(20);
  const late = histogramOf([1, 900], 3);
  expect([late.end, late.counts.at(-1)]).toEqual([160, 1]);
});

test("the note says which memory is in use, and why", () => {
  expect(describeMemory("shared", "it can", 4)).toMatch(/^Memory: shared, as it can\. .* without a copy\.$/);
  expect(describeMemory("transferred", "it must", 8)).toContain("Memory: transferred, as it must.");
  expect(describeMemory("shared", "it can", 2)).toContain("This machine has 2 cores for three busy threads");
});
