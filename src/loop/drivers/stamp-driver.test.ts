// How a loop gets its time from the timestamps of frames.
import { describe, expect, test } from "vitest";
import { manualDriver, manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { measure } from "../parts/measure.js";

describe("is not game time", () => {
  test("loading before the first frame", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.spend(10);
    loop.driver.wait(0);
    expect([loop.tick, loop.kernel.owed]).toEqual([0, 0]);
    loop.driver.wait(0.1);
    expect(loop.tick).toBe(6);
  });

  test("what the first frame takes to draw", () => {
    let frames = 0;
    const loop = manualLoop({
      rate: 60,
      render: () => void (frames++ === 0 && loop.driver.spend(0.5)),
    });
    loop.driver.play([0]);
    expect(loop.driver.time).toBe(500);
    loop.driver.play([550, 600]);
    expect([loop.tick, loop.lostSeconds]).toEqual([6, 0]);
  });

  test("a stop", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 50]);
    loop.stop();
    loop.start();
    loop.driver.play([60_000, 60_050]);
    expect([loop.tick, loop.lostSeconds]).toEqual([6, 0]);
  });

  test("the time from a reset to the next frame", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 50]);
    loop.reset();
    loop.driver.play([10_000, 10_050]);
    expect([loop.tick, loop.lostSeconds]).toEqual([3, 0]);
  });
});

test("a clock that steps back a little is waited for, and one that leaps back is followed", () => {
  const loop = manualLoop({ rate: 100 });
  const figures = measure(loop);
  loop.driver.play([1000, 1100, 1050, 1100, 1150]);
  // The first frame has no time either.
  expect([loop.tick, figures.framesWithoutTime]).toEqual([15, 3]);
  loop.driver.play([0, 50]);
  expect(loop.tick).toBe(20);
});

test("a timestamp that is not a number throws, and the loop continues", () => {
  const loop = manualLoop({ rate: 60 });
  for (const stamp of [NaN, Infinity, "5", null, 1e300])
    expect(() => loop.driver.play([stamp as number])).toThrow(/^Driver: timestamp must be a number/);
  loop.driver.play([0]);
  expect(() => loop.driver.play([NaN])).toThrow("Driver: timestamp");
  loop.driver.play([100]);
  expect([loop.tick, loop.running]).toEqual([6, true]);
});

test("timestamps may be negative, or 0", () => {
  const loop = manualLoop({ rate: 50 });
  loop.driver.play([-100, -50, 0]);
  expect([loop.tick, loop.frame.timestamp]).toEqual([5, 0]);
});

test("two loops may follow one another on a driver", () => {
  const driver = manualDriver();
  const [first, second] = [new Loop({ rate: 50 }), new Loop({ rate: 50 })];
  first.start(driver);
  driver.wait(0.1);
  first.stop();
  second.start(driver);
  driver.wait(0.1);
  expect([first.tick, second.tick]).toEqual([5, 5]);
});
