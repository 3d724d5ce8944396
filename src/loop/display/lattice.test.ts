import { expect, test } from "vitest";
import { LineFit } from "./lattice.js";

/** Adds timestamps of refreshes `period` apart, each off by `noise(i)`. */
function fitted(period: number, noise: (i: number) => number, count: number, guess = period * 1.02) {
  const fit = new LineFit(64);
  fit.start(guess, 0.1);
  for (let i = 1; i < count; i++) {
    fit.error += period + noise(i) - noise(i - 1) - fit.period;
    fit.add(1, 32);
  }
  return fit;
}

test("finds the period of exact timestamps, whatever the first guess", () => {
  const fit = fitted(10, () => 0, 60);
  expect(fit.period).toBeCloseTo(10, 2);
  expect(fit.error).toBeCloseTo(0, 1);
});

test("averages alternating noise out, and measures it", () => {
  const fit = fitted(10, (i) => (i % 2 ? 0.3 : -0.3), 400, 10);
  expect(fit.period).toBeCloseTo(10, 1);
  expect(Math.sqrt(fit.variance)).toBeGreaterThan(0.25);
  expect(Math.sqrt(fit.variance)).toBeLessThan(0.4);
});

test("predicts with more variance from fewer points", () => {
  const fit = new LineFit(64);
  fit.start(10, 1);
  const ratios: number[] = [];
  for (let i = 0; i < 30; i++) {
    ratios.push(fit.predicted / fit.variance);
    fit.error = i % 2 ? 1 : -1;
    fit.add(1, 32);
  }
  for (const [i, ratio] of ratios.slice(2).entries()) expect(ratio).toBeLessThan(ratios[i + 1]!);
  expect(ratios.at(-1)).toBeGreaterThan(1);
});

test("a single bad timestamp moves the line only a little", () => {
  const fit = fitted(10, (i) => (i === 100 ? 6 : 0.01 * (i % 2)), 101, 10);
  expect(Math.abs(fit.period - 10)).toBeLessThan(0.01);
});
