import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { Loop } from "../loop.js";
import { catchUp } from "./catch-up.js";
import { timeScale } from "./time-scale.js";

test("keeps debt up to its bound, loses the rest, and pays back within maxFrameTime", () => {
  const loop = new Loop({ rate: 60, maxFrameTime: 0.1 });
  const debt = catchUp(loop, 0.5);
  loop.advance(3);
  expect([loop.tick, debt.debt, loop.lostSeconds]).toEqual([6, 0.5, 2.4]);
  for (let i = 0; i < 6; i++) loop.advance(1 / 60);
  // 0.1 s per frame, including its own sixtieth.
  expect([loop.tick, debt.debt]).toEqual([6 + 36, 0]);
});

test("makes up for steps that maxSteps left out", () => {
  const loop = new Loop({ rate: 60, maxSteps: 2 });
  const debt = catchUp(loop, 0.1);
  loop.advance(0.2);
  expect([loop.tick, debt.debt, Math.round(loop.lostSeconds * 60)]).toEqual([2, 0.1, 4]);
  for (let i = 0; i < 6; i++) loop.advance(1 / 60);
  expect([loop.tick, debt.debt]).toEqual([14, 0]);
});

describe("does not pay debt", () => {
  test("at scale 0, while paused or frozen, or in a frame without time", () => {
    const loop = new Loop({ rate: 60 });
    const debt = catchUp(loop, 1);
    loop.advance(1);
    const before = [loop.tick, debt.debt];
    timeScale(loop).set(0);
    loop.advance(0.1);
    timeScale(loop).set(1);
    timeScale(loop).hitStop(0.1);
    loop.advance(0.1);
    loop.pause();
    loop.advance(0.1);
    loop.resume();
    for (let i = 0; i < 10; i++) loop.advance(0);
    expect([loop.tick, debt.debt]).toEqual(before);
    loop.advance(0.1);
    expect(loop.tick).toBe(before[0]! + 15);
  });

  test("faster than the time scale", () => {
    const loop = new Loop({ rate: 60 });
    const debt = catchUp(loop, 1);
    timeScale(loop).set(0.5);
    loop.advance(1);
    expect([loop.tick, loop.kernel.owed / loop.kernel.step, debt.debt]).toEqual([7, 0.5, 0.375]);
    loop.advance(0.05);
    expect([loop.tick, debt.debt]).toEqual([15, expect.closeTo(0.375 - 0.1, 12)]);
  });
});

test("the bound can change: what is owed already is still paid", () => {
  const loop = new Loop({ rate: 60 });
  const debt = catchUp(loop, 2);
  loop.advance(1.25);
  expect(debt.debt).toBe(1);
  debt.max = 0.25;
  expect([debt.debt, debt.max, loop.lostSeconds]).toEqual([1, 0.25, 0]);
  loop.advance(1.25);
  expect([debt.debt, loop.lostSeconds]).toEqual([1, 1]);
  catchUp(loop, 0);
  for (let i = 0; i < 10; i++) loop.advance(0.1);
  expect([debt.debt, loop.lostSeconds]).toEqual([0, 1]);
});

test("a reset forgives it", () => {
  const loop = new Loop({ rate: 60 });
  const debt = catchUp(loop);
  loop.advance(2);
  expect([debt.debt, debt.max]).toEqual([1, 1]);
  loop.reset();
  expect([debt.debt, debt.max]).toEqual([0, 1]);
});

test.each(["1", null, NaN, -1, Infinity, 1e300])("rejects %s", (seconds) => {
  expect(() => catchUp(new Loop({ rate: 60 }), seconds as number)).toThrow(
    errorWith("bad-value", "catchUp: seconds must be a number from 0 to 3600, got"),
  );
});
