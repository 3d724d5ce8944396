import { expect, test } from "vitest";
import { Loop } from "../loop/index.js";
import { manualDisplay, manualDriver } from "./manual-driver.js";
import { manualLoop } from "./manual-loop.js";

/** A started driver, and its times at its frames. */
function started(time?: number) {
  const driver = manualDriver(time);
  const stamps: number[] = [];
  const loop = new Loop({ rate: 60, render: () => void stamps.push(driver.time) });
  loop.start(driver);
  return { driver, stamps };
}

test("time passes only by wait and spend", () => {
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

test("a frame that takes longer than a refresh delays the next one", () => {
  const driver = manualDriver();
  const stamps: number[] = [];
  const loop = new Loop({
    rate: 60,
    render() {
      stamps.push(driver.time);
      driver.spend(stamps.length === 3 ? 0.045 : 0.001);
    },
  });
  loop.start(driver);
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

test("a second on a 60 Hz display is 60 steps", () => {
  const loop = manualLoop({ rate: 60 });
  loop.driver.display(60, 1);
  expect(loop.tick).toBe(60);
  loop.driver.wait(0.1);
  expect(loop.tick).toBe(66);
});

test("a driver serves one loop, and must be started", () => {
  const { driver } = manualLoop({ rate: 60 });
  expect(() => new Loop({ rate: 60 }).start(driver)).toThrow("this driver already drives another loop");
  driver.wait(0.1);
  for (const give of [
    () => manualDriver().wait(1),
    () => manualDriver().display(60, 1),
    () => manualDriver().play([1]),
  ])
    expect(give).toThrow("manualDriver: no loop is running. Call loop.start(driver) first.");
});

test("a manual display recognises refreshes, and shows the newest state at equal rates", () => {
  const screen = manualDisplay({}, 7);
  const loop = new Loop({ rate: 60 });
  loop.start(screen);
  screen.display(60, 1);
  expect([loop.tick, loop.alpha, screen.info.locked]).toEqual([60, 1, true]);
  expect(() => manualDisplay().play([1])).toThrow("manualDisplay: no loop is running.");
});

test("runSteps runs exactly n steps without time", () => {
  const loop = manualLoop({ rate: 60 });
  loop.runSteps(1234);
  expect([loop.tick, loop.driver.time]).toEqual([1234, 0]);
});
