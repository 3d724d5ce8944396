import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeRate, display, Loop, nodeTimer, StampDriver, timer } from "../../src/loop/next/index.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("a timer runs one step per frame at the loop's rate, without drift", () => {
  const loop = new Loop({ rate: 60 });
  loop.start(timer());
  vi.advanceTimersByTime(10_000);
  expect(Math.abs(loop.tick - 600)).toBeLessThanOrEqual(1);
  loop.stop();
  const { tick } = loop;
  vi.advanceTimersByTime(1000);
  expect(loop.tick).toBe(tick);
});

test("a timer follows a new rate, and goes on after a stop", () => {
  const loop = new Loop({ rate: 60 });
  loop.start(nodeTimer());
  vi.advanceTimersByTime(1000);
  changeRate(loop, 120);
  const { tick } = loop;
  vi.advanceTimersByTime(1000);
  expect(Math.abs(loop.tick - tick - 120)).toBeLessThanOrEqual(2);
  loop.stop();
  vi.advanceTimersByTime(5000);
  loop.start();
  vi.advanceTimersByTime(1000);
  // The time of the stop is not game time.
  expect(Math.abs(loop.time - 3)).toBeLessThan(0.03);
});

test("a driver serves one loop at a time", () => {
  const driver = timer();
  const [first, second] = [new Loop({ rate: 60 }), new Loop({ rate: 60 })];
  first.start(driver);
  expect(() => second.start(driver)).toThrow(
    "Loop.start: this driver already drives another loop. Create one per loop.",
  );
  expect([first.running, second.running]).toEqual([true, false]);
  first.stop();
  second.start(driver);
  expect(second.running).toBe(true);
  second.stop();
});

test("a clock that steps back is waited for, and one that leaps back is followed", () => {
  let frame: (timestamp: number) => void = () => {};
  const loop = new Loop({ rate: 1000 });
  loop.start(
    new StampDriver({
      now: () => 0,
      begin(onFrame) {
        frame = onFrame;
        return () => {};
      },
    }),
  );
  for (const stamp of [1000, 1010, 1005, 1010, 1020]) frame(stamp);
  expect(loop.tick).toBe(20);
  for (const stamp of [100, 110]) frame(stamp);
  expect(loop.tick).toBe(30);
  expect(() => frame(NaN)).toThrow("Driver: timestamp must be a number");
});

test("where there is no display, the error names the drivers that work", () => {
  const loop = new Loop({ rate: 60 });
  expect(() => loop.start(display())).toThrow(
    "display: requestAnimationFrame does not exist on this platform. Use timer(), or nodeTimer() of tickwise/node.",
  );
  expect(loop.running).toBe(false);
});

test("a display whose page has no frames is taken for one of 60 Hz", async () => {
  const screen = display({ frames: { now: () => 0, begin: () => () => {} } });
  const found = screen.rate();
  vi.advanceTimersByTime(5000);
  expect(await found).toBe(60);
});
