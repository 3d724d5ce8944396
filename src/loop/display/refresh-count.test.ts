import { expect, test } from "vitest";
import { DisplayClock } from "./display-clock.js";
import { RefreshCount } from "./refresh-count.js";

/** A display whose frames come at some distances, in milliseconds. */
function counter() {
  const clock = new DisplayClock();
  const count = new RefreshCount();
  let time = 3.7;
  return {
    count,
    /** Runs frames. Returns the refreshes that they covered. */
    frames(lengths: readonly number[]): number[] {
      return lengths.map((length) => {
        if (length < Infinity) time += length;
        clock.timestamp = time;
        clock.elapsed = length;
        clock.pass();
        count.take(clock);
        return count.covered;
      });
    },
  };
}

const even = (count: number, length: number) => Array.from({ length: count }, () => length);

test("each frame of an even display covers one refresh; a late one covers several", () => {
  const { frames } = counter();
  frames([Infinity, ...even(100, 8)]);
  expect(frames([8, 16, 8, 24, 8])).toEqual([1, 2, 1, 3, 1]);
});

test("an unknown or empty time covers none", () => {
  const { frames } = counter();
  expect(frames([Infinity, 0, 10, 0])).toEqual([0, 0, 1, 0]);
});

test("at half the rate, every second refresh shows the previous picture again", () => {
  const { frames, count } = counter();
  frames([Infinity, ...even(300, 8)]);
  const half = frames(even(600, 16));
  expect(new Set(half.slice(20))).toEqual(new Set([2]));
  expect(count.fastest).toBeCloseTo(8, 3);
});

test("a stopped display that goes on: refreshes follow the time that has passed", () => {
  const { frames } = counter();
  frames([Infinity, ...even(100, 8)]);
  expect(frames([800, 8])).toEqual([100, 1]);
});
