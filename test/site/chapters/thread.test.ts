import { expect, test } from "vitest";
import { Threads } from "../../../site/src/chapters/thread/model.js";

/** Frames that repeat in a second, the longest frame and the lateness in milliseconds. */
const figuresOf = (isFixed: boolean, cost: number): number[] => {
  const threads = new Threads(isFixed, cost);
  threads.advance(2);
  return threads.figures().map(({ value }) => parseFloat(value));
};

test("on one thread, a heavy step takes as many refreshes as it lasts, with the drawing", () => {
  for (const cost of [10, 14, 40, 60]) {
    const refreshes = Math.ceil(((cost + 4) * 60) / 1000);
    const [repeats, longest] = figuresOf(false, cost);
    // Four heavy steps per second.
    expect(repeats).toBe(4 * (refreshes - 1));
    expect(longest).toBe(Math.round((1000 * refreshes) / 60));
  }
});

test("on two threads, no frame repeats, and the picture is late by the heavy step", () => {
  for (const cost of [10, 40, 60]) {
    const [repeats, longest, late] = figuresOf(true, cost);
    expect([repeats, longest]).toEqual([0, 17]);
    expect(late).toBeGreaterThan(cost);
    // The step, a tick for the blend, and a refresh until it is seen; and some room.
    expect(late).toBeLessThan(cost + 3 * (1000 / 60));
  }
});

test("both take 60 steps per second", () => {
  for (const isFixed of [false, true]) {
    const threads = new Threads(isFixed, 40);
    threads.advance(4);
    expect(Math.abs(threads.track.steps - 240)).toBeLessThanOrEqual(3);
  }
});

test("the cost can change at any time", () => {
  const threads = new Threads(false, 5);
  threads.advance(1);
  expect(threads.track.losses).toBe(0);
  threads.changeCost(40);
  threads.advance(2);
  expect(threads.track.losses).toBe(8);
});
