import { afterEach, expect, test } from "vitest";
import { Overload } from "./overload.js";
import { Lateness } from "./rooms/lateness.js";

let overload: Overload;
afterEach(() => overload.stop());

/** A second in which steps were late by so many milliseconds. */
function second(late: number, steps = 100): void {
  const lateness = new Lateness();
  for (let i = 0; i < steps; i++) lateness.add(late);
  overload.sample(lateness);
  expect(lateness.count).toBe(0);
}

test("late steps are an overload after two seconds, and over after five good ones", () => {
  // The test itself may be slow, so the event loop may be late.
  overload = new Overload(1e5, 2 ** 50);
  second(2e5);
  expect(overload.reason).toBeUndefined();
  second(2e5);
  expect(overload.reason).toBe("steps begin too late");
  for (let i = 0; i < 4; i++) second(1);
  expect(overload.reason).toBe("steps begin too late");
  second(1);
  expect(overload.reason).toBeUndefined();
});

test("one bad second, or few steps, are none", () => {
  overload = new Overload(1e5, 2 ** 50);
  for (let i = 0; i < 6; i++) second(i % 2 === 0 ? 2e5 : 1);
  expect(overload.reason).toBeUndefined();
  for (let i = 0; i < 6; i++) second(2e5, 20);
  expect(overload.reason).toBeUndefined();
});

test("memory beyond the limit is an overload", () => {
  overload = new Overload(1e5, 2 ** 20);
  second(1);
  second(1);
  expect(overload.reason).toBe("too little memory is left");
});
