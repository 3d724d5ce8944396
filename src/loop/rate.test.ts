import fc from "fast-check";
import { expect, test } from "vitest";
import { exactRate, type Rate } from "./rate.js";

test.each<[Rate, readonly [number, number]]>([
  [60, [60, 1]],
  [165, [165, 1]],
  [59.94, [2997, 50]],
  [144.0012, [360003, 2500]],
  [23.976, [2997, 125]],
  [60000 / 1001, [60000, 1001]],
  [1 / 3, [1, 3]],
  [0.001, [1, 1000]],
  [
    [60000, 1001],
    [60000, 1001],
  ],
  [
    [1, 3],
    [1, 3],
  ],
  [
    [120, 2],
    [60, 1],
  ],
  [10000.1, [100001, 10]],
  [1 / 0.0166833, [10000000, 166833]],
])("%j is held as %j", (rate, exact) => {
  expect(exactRate("test", rate)).toEqual(exact);
});

test("a number becomes the simplest fraction within 1e-12", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 2000 }), (a, b) => {
      const [numerator, denominator] = exactRate("test", a / b);
      expect(Math.abs(numerator / denominator - a / b)).toBeLessThanOrEqual(1e-12 + (a / b) * 2 ** -52);
      expect(denominator).toBeLessThanOrEqual(b);
    }),
  );
});

test.each<unknown>([
  0,
  -1,
  NaN,
  Infinity,
  "60",
  null,
  undefined,
  60n,
  {},
  [],
  [60],
  [60, 0],
  [60, 1, 1],
  [60n, 1n],
  [NaN, 1],
  // These cannot be stored exactly.
  Math.E * 1e6,
  123456.789012345,
  1e9,
  1e-7,
  [2 ** 40, 3],
  [1, 2 ** 40],
  [1.5, 1],
])("rejects %o", (rate) => {
  expect(() => exactRate("Loop: rate", rate as Rate)).toThrow(
    /^Loop: rate must be a positive number of hertz, or a fraction \[a, b\].* with a \/ 20 \+ b under 4503599, got .+\. Try 60 or \[60000, 1001\]\.$/,
  );
});
