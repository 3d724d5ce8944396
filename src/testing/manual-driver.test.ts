import { expect, test } from "vitest";
import { Loop } from "../loop/index.js";
import { manualDriver } from "./manual-driver.js";
import { manualLoop } from "./manual-loop.js";

/** A driver that is started, and the timestamps of its frames. */
function started(time?: number) {
  const driver = manualDriver(time);
  const stamps: number[] = [];
  driver.start((timestamp) => void stamps.push(timestamp));
  return { driver, stamps };
}

test("time passes only when told", () => {
  const { driver, stamps } = started(1000);
  driver.wait(0.5);
  driver.spend(1);
  driver.wait(0);
  expect(stamps).toEqual([1000, 1500, 2500]);
  expect([driver.time, driver.now()]).toEqual([2500, 2500]);
});

test("plays timestamps as they were recorded", () => {
  const { driver, stamps } = started();
  driver.play([5, 3, 3, 100]);
  expect(stamps).toEqual([5, 3, 3, 100]);
  expect(driver.time).toBe(100);
});

test("a display refreshes evenly", () => {
  const { driver, stamps } = started();
  driver.display(50, 0.1);
  expect(stamps).toEqual([0, 20, 40, 60, 80, 100]);
  driver.display(100, 0.02);
  expect(stamps.slice(6)).toEqual([110, 120]);
});

test("a frame that takes longer than a refresh makes the next one late", () => {
  const driver = manualDriver();
  const stamps: number[] = [];
  driver.start((timestamp) => {
    stamps.push(timestamp);
    driver.spend(stamps.length === 3 ? 0.045 : 0.001);
  });
  driver.display(50, 0.2);
  expect(stamps).toEqual([0, 20, 40, 100, 120, 140, 160, 180, 200]);
});

test("a display ends when the loop stops", () => {
  const loop: Loop & { driver: ReturnType<typeof manualDriver> } = manualLoop({
    rate: 60,
    step: ({ tick }) => void (tick === 9 && loop.stop()),
  });
  loop.driver.display(60, 1e6);
  expect([loop.tick, loop.running]).toEqual([10, false]);
});

test("a second before a 60 Hz display is 60 steps; a second waited for is clamped", () => {
  const loop = manualLoop({ rate: 60 });
  loop.driver.display(60, 1);
  expect(loop.tick).toBe(60);
  loop.driver.wait(0.1);
  expect(loop.tick).toBe(66);
});

test("a driver serves one loop, once it is started", () => {
  const { driver } = manualLoop({ rate: 60 });
  expect(() => new Loop({ rate: 60, driver }).start()).toThrow("this driver already drives another loop");
  driver.wait(0.1);
  for (const give of [
    () => manualDriver().wait(1),
    () => manualDriver().display(60, 1),
    () => manualDriver().play([1]),
  ])
    expect(give).toThrow(
      'manualDriver must be started by a loop, got "one that is stopped". Try loop.start() first.',
    );
});

test("exactly n steps, whatever the time", () => {
  const loop = manualLoop({ rate: 60 });
  loop.runSteps(1234);
  expect([loop.tick, loop.driver.time]).toEqual([1234, 0]);
});
