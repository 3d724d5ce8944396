import { expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { stepBudget } from "./step-budget.js";

/** A loop of 100 steps per second, which cost some milliseconds each. */
function costly(cost: number) {
  let clock = 0;
  const loop = new Loop({ rate: 100, step: () => void (clock += cost) });
  return { loop, now: () => clock, wait: (time: number) => void (clock += time) };
}

test("ends a frame before the step that would not fit", () => {
  const { loop, now } = costly(4);
  stepBudget(loop, 0.01, now);
  loop.advance(0.05);
  expect([loop.tick, loop.lostSeconds]).toEqual([2, 0.03]);
  loop.advance(0.05);
  expect(loop.tick).toBe(4);
});

test("a frame runs at least one step, and as many as fit exactly", () => {
  const slow = costly(40);
  stepBudget(slow.loop, 0.01, slow.now);
  for (let i = 0; i < 3; i++) slow.loop.advance(0.05);
  expect(slow.loop.tick).toBe(3);
  const exact = costly(2);
  stepBudget(exact.loop, 0.01, exact.now);
  exact.loop.advance(0.2);
  expect(exact.loop.tick).toBe(5);
});

test("by default it reads the clock of the driver", () => {
  const loop = manualLoop({ rate: 100, step: () => loop.driver.spend(0.004) });
  const budget = stepBudget(loop, 0.01);
  loop.driver.play([0, 100]);
  expect(loop.tick).toBe(2);
  budget.seconds = Infinity;
  loop.driver.play([200]);
  expect(loop.tick).toBe(12);
});

test("can change, in a step too", () => {
  const { loop, now } = costly(4);
  const budget = stepBudget(loop, Infinity, now);
  loop.on("step", ({ tick }) => void (tick === 2 && (budget.seconds = 0.001)));
  loop.advance(0.05);
  expect(loop.tick).toBe(5);
  loop.advance(0.05);
  expect(loop.tick).toBe(6);
  expect(stepBudget(loop, 1)).toBe(budget);
});

test("time between frames, and forced steps, do not count as the cost of a step", () => {
  const { loop, now, wait } = costly(1);
  stepBudget(loop, 0.05, now);
  loop.advance(0.1);
  wait(10_000);
  loop.runSteps(1);
  wait(10_000);
  loop.advance(0.1);
  expect([loop.tick, loop.lostSeconds]).toEqual([21, 0]);
});

test("ignores a clock that leaps", () => {
  let reading = 0;
  const readings = [5, NaN, 3, Infinity, -Infinity, 7];
  const loop = new Loop({ rate: 60 });
  stepBudget(loop, 0.05, () => readings[reading++ % 6]!);
  for (let i = 0; i < 100; i++) loop.advance(0.02);
  expect(loop.tick).toBeGreaterThan(50);
});

test.each(["1", null, NaN, -1, 0, 1e300])("rejects %s", (seconds) => {
  expect(() => stepBudget(new Loop({ rate: 60 }), seconds as number)).toThrow(
    errorWith("bad-value", "stepBudget: seconds must be a number from"),
  );
  expect(() => stepBudget(new Loop({ rate: 60 }), 1, 5 as never)).toThrow(
    errorWith("bad-value", "stepBudget: now must be a function, got 5."),
  );
});
