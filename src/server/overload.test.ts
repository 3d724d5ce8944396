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

test("a process that is busy all the time, and whose event loop is late, is overloaded", async () => {
  const turn = () => new Promise<void>((done) => void setImmediate(done));
  /** Turns of the event loop that take 30 ms each. */
  const work = async () => {
    for (let i = 0; i < 12; i++) {
      for (const start = performance.now(); performance.now() - start < 30;);
      await turn();
    }
  };
  // A turn takes three times that. A process that is not busy may take five times.
  overload = new Overload(10, 2 ** 50);
  for (let i = 0; i < 2; i++) {
    await work();
    second(1);
  }
  expect(overload.reason).toBe("the process is too busy");
});
