import { expect, test } from "vitest";
import { PER_TAP, Tapping } from "../../../site/src/chapters/lost-input/model.js";

const figuresOf = (tapping: Tapping) =>
  tapping.figures().map(({ value }) => Number(value)) as [taps: number, counted: number, lost: number];

test("without a latch, a tap is lost unless a step falls into it", () => {
  const tapping = new Tapping(false, 10);
  tapping.advance(20);
  const [taps, counted, lost] = figuresOf(tapping);
  expect(taps).toBeGreaterThan(70);
  expect(counted + lost).toBeGreaterThanOrEqual(taps - 1);
  // Taps of 50 ms on average, steps every 100 ms.
  expect(lost / taps).toBeGreaterThan(0.4);
  expect(lost / taps).toBeLessThan(0.6);
});

test.each([10, 20, 30, 60])("with a latch, %i steps per second see each tap once", (rate) => {
  const tapping = new Tapping(true, rate);
  tapping.advance(20);
  const [taps, counted, lost] = figuresOf(tapping);
  expect(taps).toBeGreaterThan(70);
  expect(lost).toBe(0);
  // The last ones may wait.
  expect(taps - counted).toBeLessThanOrEqual(2);
});

test.each([false, true])("the visitor's taps replace those of the script (latch: %s)", (isFixed) => {
  const tapping = new Tapping(isFixed, 10);
  // No step falls between 5.02 and 5.08 s.
  tapping.advance(5.02);
  const [before] = figuresOf(tapping);
  tapping.point(0.5, 0.5, true);
  tapping.advance(5.08);
  tapping.point(0.5, 0.5, false);
  tapping.advance(8);
  const [taps, counted, lost] = figuresOf(tapping);
  expect(taps).toBe(before + 1);
  expect(counted + lost).toBe(taps);
  const { track } = tapping;
  const [down, up, seen] = track.pictureOf(track.frames - 1).subarray(2 + PER_TAP * (Math.min(24, taps) - 1));
  expect([down, up]).toEqual([5.02, 5.08]);
  // The step at 5.1 s sees it, or none.
  expect(seen).toBe(isFixed ? 5.1 : NaN);
  // After some seconds, the script goes on.
  tapping.advance(12);
  expect(figuresOf(tapping)[0]).toBeGreaterThan(taps);
});

test("Space taps, other keys do not", () => {
  const tapping = new Tapping(true, 10);
  tapping.advance(0.05);
  expect(tapping.key("KeyA", true)).toBe(false);
  expect(figuresOf(tapping)[0]).toBe(0);
  expect(tapping.key("Space", true)).toBe(true);
  expect(figuresOf(tapping)[0]).toBe(1);
});
