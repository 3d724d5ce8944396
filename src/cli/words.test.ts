import { expect, test } from "vitest";
import { axis, button, fraction, int } from "../input/index.js";
import { fieldText, restOf, secondsText, valueText } from "./words.js";

test("times", () => {
  expect([0, 0.004, 1.5, 59.999, 60, 3725.25].map(secondsText)).toEqual([
    "0.00 s",
    "0.00 s",
    "1.50 s",
    "1 min 0.00 s",
    "1 min 0.00 s",
    "62 min 5.25 s",
  ]);
});

test("what inputs are, and are at rest", () => {
  const fields = [button, axis(8), int(1, 5), int(-3, 3), fraction(4)];
  expect(fields.map((field) => fieldText("x", field))).toEqual([
    "x",
    "x (axis of 8 bits)",
    "x (1 to 5)",
    "x (-3 to 3)",
    "x (fraction of 4 bits)",
  ]);
  expect(fields.map(restOf)).toEqual([false, 0, 1, -3, 0]);
});

test("values of an axis are short, and each has its own text", () => {
  for (const bits of [2, 8, 16]) {
    const field = axis(bits);
    const texts = Array.from({ length: 2 * field.base + 1 }, (_, i) =>
      valueText((i - field.base) / field.base, field),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(9);
  }
});
