import { expect, test } from "vitest";
import { ClockOffset } from "./clock-offset.js";

test("is what the clocks tell about their starts, if round trips agree", () => {
  const offset = new ClockOffset();
  expect(offset.value).toBe(0);
  offset.tell(1000, 1250);
  expect(offset.value).toBe(-250);
  // Asked at 400, answered at 150.2 of the worker's clock, heard at 400.5.
  offset.roundTrip(400, 150.2, 400.5);
  expect(offset.value).toBe(-250);
  expect(offset.error).toBeCloseTo(0.5, 9);
});

test("is corrected by the bounds of round trips, if the clocks disagree", () => {
  const offset = new ClockOffset();
  offset.tell(1000, 1000);
  offset.roundTrip(400, 150.2, 400.5);
  // The worker's clock is at least 249.8 behind.
  expect(offset.value).toBeCloseTo(-249.8, 9);
  offset.roundTrip(500, 250.1, 500.3);
  expect(offset.value).toBeCloseTo(-249.9, 9);
  expect(offset.error).toBeLessThan(0.31);
});

test("is the middle of the bounds, if nothing was told", () => {
  const offset = new ClockOffset();
  offset.roundTrip(400, 150.2, 400.4);
  expect(offset.value).toBeCloseTo(-250, 9);
});

test("something that is over bounds it, too", () => {
  const offset = new ClockOffset();
  offset.tell(1000, 1010);
  offset.isPast(390, 405);
  expect(offset.value).toBe(-10);
  offset.isPast(398, 405);
  expect(offset.value).toBe(-7);
});

test("a clock that was set or stood still is followed", () => {
  const offset = new ClockOffset();
  offset.tell(1000, 1000);
  offset.roundTrip(400, 400.2, 400.4);
  expect(offset.value).toBe(0);
  offset.roundTrip(500, 300, 500.4);
  expect(offset.resets).toBe(1);
  expect(offset.value).toBe(-200);
});
