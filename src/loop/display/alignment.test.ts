import { describe, expect, test } from "vitest";
import { Loop } from "../loop.js";
import { timeScale } from "../parts/time-scale.js";
import type { Rate } from "../rate.js";
import { Alignment } from "./alignment.js";
import { DisplayClock } from "./display-clock.js";

/** A loop with an alignment, whose frames take a number of refreshes as a test says: 0 if that is not known. */
function aligned(rate: Rate) {
  const loop = new Loop({ rate });
  const clock = new DisplayClock();
  const alignment = new Alignment(loop, clock);
  loop.use(alignment);
  return {
    loop,
    clock,
    alignment,
    /** Where the shown time is, compared to the strict clock, in steps: 0 shows the newest state. */
    ahead: () => (loop.kernel.lead + 1 - loop.kernel.step) / loop.kernel.step,
    /** Runs a frame. Returns its steps. */
    frame(seconds: number, refreshes = 1): number {
      if (refreshes > 0) clock.period = (seconds * 1e3) / refreshes;
      clock.refreshes = refreshes;
      clock.locked ||= refreshes > 0;
      loop.advance(seconds);
      return loop.frame.steps;
    },
  };
}

test("until the display is known, frames are kept away from where their steps would change", () => {
  const { frame, ahead } = aligned(60);
  for (const time of [0.016, 0.018, 0.016, 0.017]) expect(frame(time, 0)).toBe(1);
  expect(ahead()).toBeCloseTo(-0.5, 2);
});

test("aligned steps and refreshes reach an alpha of 1 at once, and keep it", () => {
  const { frame, loop } = aligned(60);
  for (let i = 0; i < 5; i++) frame(1 / 60, 0);
  for (let i = 0; i < 200; i++) {
    frame(1 / 60);
    expect(loop.alpha).toBe(1);
  }
  expect(loop.tick).toBe(205);
});

test("without a whole ratio, the shown time returns to the strict clock", () => {
  const { frame, ahead } = aligned(60);
  for (let i = 0; i < 10; i++) frame(1 / 144);
  expect(Math.abs(ahead())).toBeLessThan(1e-6);
});

test.each<[string, Rate, number]>([
  ["59.94 Hz", 60, 1 / 59.94],
  ["60.06 Hz", 60, 1 / 60.06],
  ["119.88 Hz", 60, 1 / 119.88],
  ["two steps at 59.94 Hz", 120, 1 / 59.94],
  ["a third at 180.2 Hz", 60, 1 / 180.2],
])("%s: the shown time stays within half a step, and moves within a per cent", (_, rate, time) => {
  const { frame, loop, ahead } = aligned(rate);
  const usual = Math.round(time / loop.dt);
  let [slips, shown] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    const steps = frame(time);
    expect(Math.abs(ahead())).toBeLessThanOrEqual(0.51);
    // The first frame moves the picture to where it belongs.
    const moved = i > 0 ? loop.frame.shownTime - shown : time;
    expect(Math.abs(moved / time - 1)).toBeLessThan(0.01);
    shown = loop.frame.shownTime;
    if (usual > 0 && steps !== usual) slips++;
  }
  // given + lead = simulated + owed
  const { kernel } = loop;
  const given = 20_000 * time + (kernel.lead - kernel.owed) / kernel.second;
  expect(given).toBeCloseTo(loop.time, 6);
  expect(slips).toBeLessThanOrEqual(Math.ceil(Math.abs((20_000 * time) / loop.dt - 20_000 * usual)) + 1);
});

test("one bad timestamp does not end the alignment", () => {
  const { frame, loop } = aligned(60);
  for (let i = 0; i < 300; i++) frame(1 / 60);
  frame(0.0184, 0);
  frame(2 / 60 - 0.0184, 0);
  expect([loop.tick, loop.alpha]).toEqual([302, expect.closeTo(1, 3)]);
});

describe("a rate that was measured on the display, 0.03 % too high", () => {
  const REFRESH = 1.0003 / 60;

  test.each<[string, Rate, number]>([
    ["one", 60, 1],
    ["three", 180, 3],
    ["thirty-two", 1920, 32],
  ])("always %s per refresh, and alpha stays 1", (_, rate, steps) => {
    const { frame, loop, alignment, ahead } = aligned(rate);
    alignment.hertz = 60;
    frame(REFRESH);
    for (let i = 0; i < 10_000; i++) {
      expect(frame(REFRESH)).toBe(steps);
      expect(loop.alpha).toBe(1);
    }
    // The lead accounts for the difference.
    expect(ahead()).toBeCloseTo(-steps * 10_001 * 0.0003, 0);
  });

  test("if the display changes, the lead returns too slowly to be seen", () => {
    const { frame, loop, alignment, ahead } = aligned(60);
    alignment.hertz = 60;
    for (let i = 0; i < 10_000; i++) frame(REFRESH);
    expect(ahead()).toBeLessThan(-2.9);
    for (let i = 0; i < 20_000; i++) {
      const [before, shown] = [ahead(), loop.frame.shownTime];
      frame(1 / 144);
      expect(Math.abs((loop.frame.shownTime - shown) * 144 - 1)).toBeLessThan(0.0011);
      expect(Math.abs(ahead())).toBeLessThanOrEqual(Math.abs(before));
    }
    expect(Math.abs(ahead())).toBeLessThan(1e-6);
  });

  test("nor is the lead cut off while time is scaled", () => {
    const { frame, loop, alignment, ahead } = aligned(60);
    alignment.hertz = 60;
    for (let i = 0; i < 10_000; i++) frame(REFRESH);
    timeScale(loop).set(0.5);
    for (let i = 0; i < 20_000; i++) {
      const [before, shown] = [ahead(), loop.frame.shownTime];
      frame(REFRESH);
      expect(Math.abs((2 * (loop.frame.shownTime - shown)) / REFRESH - 1)).toBeLessThan(0.01);
      expect(Math.abs(ahead())).toBeLessThanOrEqual(Math.max(0.51, Math.abs(before)));
    }
    expect(Math.abs(ahead())).toBeLessThanOrEqual(0.51);
  });
});

test("frames without time, or of a paused loop, lend nothing", () => {
  const { frame, loop } = aligned(60);
  for (let i = 0; i < 100; i++) frame(1 / 60);
  const { lead, owed } = loop.kernel;
  loop.advance(0);
  loop.pause();
  frame(1 / 60);
  expect([loop.kernel.lead, loop.kernel.owed]).toEqual([lead, owed]);
});

test("a reset starts again", () => {
  const { frame, loop } = aligned(60);
  for (let i = 0; i < 100; i++) frame(1 / 60);
  loop.reset();
  expect([loop.tick, loop.kernel.lead, loop.kernel.owed]).toEqual([0, 0, 0]);
  frame(1 / 60);
  expect([loop.tick, loop.alpha]).toEqual([1, 1]);
});
