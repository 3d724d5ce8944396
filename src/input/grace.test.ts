import { expect, test } from "vitest";
import { grace } from "./grace.js";

test("counts the tick of the press and the ticks after it, `ticks` in all", () => {
  let remaining = 0;
  const seen = [false, true, false, false, false, true, true, false].map(
    (isActive) => (remaining = grace(remaining, isActive, 3)),
  );
  expect(seen).toEqual([0, 3, 2, 1, 0, 3, 3, 2]);
});

test("a period of 0 ticks is never active", () => {
  expect(grace(0, true, 0)).toBe(0);
  expect(grace(0, false, 0)).toBe(0);
});
