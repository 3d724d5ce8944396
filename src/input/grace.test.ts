import { expect, test } from "vitest";
import { grace } from "./grace.js";

test("a press counts in its own tick and in the next ones, so many in all", () => {
  let left = 0;
  const seen = [false, true, false, false, false, true, true, false].map(
    (isNow) => (left = grace(left, isNow, 3)),
  );
  expect(seen).toEqual([0, 3, 2, 1, 0, 3, 3, 2]);
});

test("of no ticks at all, nothing counts", () => {
  expect(grace(0, true, 0)).toBe(0);
  expect(grace(0, false, 0)).toBe(0);
});
