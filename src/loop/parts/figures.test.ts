import { expect, test } from "vitest";
import { Figures, Sum, Tally } from "./figures.js";

/** A tally, and the figures of a loop with ten steps per second. */
function figures() {
  const tally = new Tally();
  const of = (isRecent: boolean) =>
    new Figures(
      () => tally,
      () => 0.1,
      isRecent,
    );
  return { tally, all: of(false), recent: of(true) };
}

test("totals cover all frames, recent figures the last 128 to 256", () => {
  const { tally, all, recent } = figures();
  for (let frame = 1; frame <= 1000; frame++) {
    const steps = frame <= 900 ? 1 : 2;
    tally.sums[Sum.real]! += steps;
    tally.sums[Sum.steps]! += steps;
    tally.count(steps);
    expect(all.frames).toBe(frame);
    expect(recent.frames).toBe(frame < 128 ? frame : 128 + (frame % 128));
  }
  expect([all.steps, recent.steps]).toEqual([1100, 132 + 200]);
  expect([all.framesWith(1), all.framesWith(2), recent.framesWith(1)]).toEqual([900, 100, 132]);
  expect(all.frameTime).toBe(1.1);
  expect(recent.frameTime).toBe((132 + 2 * 100) / 232);
});

test("frames with 8 or more steps are counted together", () => {
  const { tally, all } = figures();
  for (const steps of [8, 9, 100]) tally.count(steps);
  expect([0, 7, 8, 9, -1, 0.5, NaN].map((steps) => all.framesWith(steps))).toEqual([0, 0, 3, 0, 0, 0, 0]);
  expect(all.frames).toBe(3);
});

test("before the first frame, all figures are 0, and the speed is 1", () => {
  const { all, recent } = figures();
  for (const { framesWith, effectiveSpeed, ...numbers } of [all.toJSON(), recent.toJSON()]) {
    expect(new Set(Object.values(numbers))).toEqual(new Set([0]));
    expect([framesWith, effectiveSpeed]).toEqual([Array.from({ length: 9 }, () => 0), 1]);
  }
});

test("judder counts refreshes without a new picture, move errors do not", () => {
  const { tally, all } = figures();
  for (let i = 0; i < 99; i++) tally.see(1, 1);
  expect([all.judder, all.worstJudder, all.moveError, all.droppedFrames]).toEqual([0, 0, 0, 0]);
  // A frame that comes a refresh late, and moves as far as two.
  tally.see(2, 2);
  expect(all.droppedFrames).toBe(1);
  expect(all.judder).toBeCloseTo(Math.sqrt(2 / 101), 12);
  expect([all.worstJudder, all.moveError]).toEqual([1, 0]);
});

test("the worst of the recent frames is forgotten, that of all is not", () => {
  const { tally, all, recent } = figures();
  tally.see(1.5, 1);
  for (let i = 0; i < 300; i++) {
    tally.see(1.1, 1);
    tally.count(1);
  }
  expect([all.worstJudder, recent.worstJudder]).toEqual([0.5, expect.closeTo(0.1, 12)]);
});
