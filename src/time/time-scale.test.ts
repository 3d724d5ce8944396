import { expect, test } from "vitest";
import { ramp } from "./ramp.js";
import { TimeScale } from "./time-scale.js";

const SECOND = 1e9;

function clockAt(scale: number, over = 0): TimeScale {
  const clock = new TimeScale();
  clock.setScale("test", over ? ramp(scale, over) : scale);
  return clock;
}

test("stores a scale in whole billionths, and carries fractions over", () => {
  const clock = clockAt(0.347712371);
  expect(clock.scale).toBe(0.347712371);
  let virtual = 0;
  for (let i = 0; i < SECOND / 1e6; i++) virtual += clock.advance(1e6);
  expect(virtual).toBe(347712371);
});

test("a scale of a third is rounded to billionths", () => {
  expect(clockAt(1 / 3).scale).toBe(0.333333333);
});

test("a ramp is linear in real time", () => {
  const clock = clockAt(0, 2);
  expect(clock.advance(SECOND)).toBe(0.75 * SECOND);
  expect(clock.scale).toBe(0.5);
  expect(clock.advance(SECOND)).toBe(0.25 * SECOND);
  expect(clock.scale).toBe(0);
  expect(clock.advance(SECOND)).toBe(0);
});

test("a frame may extend beyond the end of a ramp", () => {
  const clock = clockAt(3, 1);
  expect(clock.advance(2 * SECOND)).toBe(5 * SECOND);
  expect(clock.scale).toBe(3);
});

test("a new ramp starts at the current scale of the last one", () => {
  const clock = clockAt(0, 1);
  clock.advance(SECOND / 2);
  clock.setScale("test", ramp(1, 1));
  expect(clock.scale).toBe(0.5);
  expect(clock.advance(SECOND)).toBe(0.75 * SECOND);
});

test("while paused, no time passes and a ramp does not move", () => {
  const clock = clockAt(0, 1);
  clock.paused = true;
  expect(clock.advance(SECOND)).toBe(0);
  clock.paused = false;
  expect(clock.scale).toBe(1);
});

test.each([
  [1, 0, 2, 2],
  [0.5, 0, 2, 4],
  [0, 0, 2, Infinity],
  [0, 0, -1, Infinity],
  [2, 0, -1, -0.5],
])("at scale %d over %d s, %d virtual seconds take %d real ones", (scale, over, virtual, real) => {
  expect(clockAt(scale, over).realSecondsFor(virtual)).toBe(real);
});

test("realSecondsFor matches advance during a ramp", () => {
  for (const scale of [0, 0.1, 2, 7])
    for (const virtual of [0.01, 0.3, 0.49999]) {
      const clock = clockAt(scale, 1);
      const real = clock.realSecondsFor(virtual);
      expect(clock.advance(Math.round(real * SECOND)) / SECOND).toBeCloseTo(virtual, 8);
    }
});

test("a ramp to 0 never gets further", () => {
  const clock = clockAt(0, 1);
  expect(clock.realSecondsFor(0.5)).toBe(1);
  expect(clock.realSecondsFor(0.500001)).toBe(Infinity);
  clock.paused = true;
  expect(clock.realSecondsFor(0.1)).toBe(Infinity);
});
