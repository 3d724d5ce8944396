import fc from "fast-check";
import { expect, test } from "vitest";
import { DriftMeter, type DriftOptions } from "./drift.js";

const driftOf = (errors: readonly number[], options: DriftOptions = {}) => {
  const meter = new DriftMeter(options);
  for (const error of errors) meter.record(error);
  return meter.drift;
};
const repeat = (count: number, errorAt: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => errorAt(i));

test("matched: no correction", () => {
  expect(driftOf([])).toBe("matched");
  expect(driftOf(repeat(1000, () => 0))).toBe("matched");
});

test("jitter: small corrections, and rare large ones", () => {
  expect(driftOf([0, 0.01])).toBe("jitter");
  expect(driftOf(repeat(200, () => 0.04))).toBe("jitter");
  expect(driftOf(repeat(200, (i) => (i % 4 === 0 ? 3 : 0)))).toBe("jitter");
  // A new player comes near: more corrections than before, but most predictions are right.
  expect(driftOf(repeat(64, (i) => (i > 50 && i % 3 === 0 ? 5 : 0.001)))).toBe("jitter");
});

test("diverging: most corrections are large, or they grow", () => {
  expect(driftOf(repeat(64, () => 0.06))).toBe("diverging");
  expect(driftOf(repeat(64, (i) => 0.001 * 1.1 ** i))).toBe("diverging");
  expect(driftOf(repeat(64, (i) => 0.002 * i))).toBe("diverging");
  expect(driftOf(repeat(20, () => Infinity))).toBe("diverging");
  expect(driftOf(repeat(20, () => NaN))).toBe("diverging");
});

test("a few comparisons prove nothing, and old ones are forgotten", () => {
  expect(driftOf(repeat(7, () => 100))).toBe("jitter");
  expect(driftOf([...repeat(64, () => 100), ...repeat(64, () => 0)])).toBe("matched");
  const meter = new DriftMeter();
  meter.record(100);
  meter.reset();
  expect(meter.drift).toBe("matched");
});

test("errors within the tolerance are never diverging, and zeros are always matched", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { maxLength: 200 }), (errors) => {
      expect(driftOf(errors, { tolerance: 0.5 })).not.toBe("diverging");
      const isMatched = errors.slice(-64).every((error) => error === 0);
      expect(driftOf(errors) === "matched").toBe(isMatched);
    }),
  );
});

test("misuse", () => {
  expect(() => new DriftMeter({ tolerance: -1 })).toThrow("DriftMeter: tolerance must be a number from 0");
  expect(() => new DriftMeter({ comparisons: 2 })).toThrow(
    "DriftMeter: comparisons must be a whole number, 8 or more",
  );
});
