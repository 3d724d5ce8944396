import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Loop } from "../loop.js";
import { changeRate } from "../parts/change-rate.js";
import { measure } from "../parts/measure.js";
import { nodeTimer } from "./node.js";
import { Schedule } from "./schedule.js";
import { timer } from "./timer.js";

const PHASE = 0.381966;

describe("a schedule", () => {
  test("has one frame in each step, always at the same part of it", () => {
    const schedule = new Schedule(1000, [60, 1], undefined);
    const step = 1000 / 60;
    const day = 24 * 3600 * 60;
    const start = 1000 + step * PHASE;
    for (let n = 0; n < 5; n++) expect(schedule.pass(0)).toBe(start + n * step);
    expect(schedule.pass(1000 + (day + 0.75) * step)).toBe(start + day * step);
    expect(schedule.due).toBe(start + (day + 1) * step);
  });

  test("is not delayed by a late frame, and skips missed ones", () => {
    const schedule = new Schedule(-10 * PHASE, [100, 1], undefined);
    expect([schedule.due, schedule.pass(9.9), schedule.due]).toEqual([0, 0, 10]);
    expect([schedule.pass(42), schedule.due]).toEqual([40, 50]);
  });

  test("divides slow steps, so that no frame is clamped", () => {
    expect(new Schedule(0, [1, 3], undefined).period).toBe(100);
    expect(new Schedule(0, [7, 1], undefined).period).toBeCloseTo(1000 / 14, 12);
  });

  test("may have another frame rate", () => {
    expect(new Schedule(0, [60, 1], 20)).toMatchObject({ period: 50, due: (1000 / 60) * PHASE });
  });
});

describe("with fake timers", () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  const drivers = {
    timer,
    "nodeTimer low": nodeTimer,
    "nodeTimer high": () => nodeTimer({ precision: "high" }),
  };
  test.each(Object.entries(drivers))(
    "%s: runs one step per frame, and leaves no timer after stop",
    (_, create) => {
      const loop = new Loop({ rate: [60000, 1001] });
      const figures = measure(loop);
      loop.start(create());
      vi.advanceTimersByTime(20_000);
      expect(Math.abs(loop.tick - (20 * 60000) / 1001)).toBeLessThan(1);
      expect([figures.framesWith(1), loop.lostSeconds]).toEqual([figures.frames - 2, 0]);
      loop.stop();
      expect(vi.getTimerCount()).toBe(0);
      const { tick } = loop;
      vi.advanceTimersByTime(1000);
      expect(loop.tick).toBe(tick);
    },
  );

  test("a slow loop gets several frames per step, none of which is clamped", () => {
    const loop = new Loop({ rate: [1, 3] });
    loop.start(timer());
    vi.advanceTimersByTime(10_000);
    expect([loop.tick, loop.lostSeconds]).toEqual([3, 0]);
    loop.stop();
  });

  test.each([30, 60, 90, 144])(
    "at %d Hz, no start, other driver, reset or stall makes frames of two steps",
    (rate) => {
      const loop = new Loop({ rate });
      const figures = measure(loop);
      const twos: number[] = [];
      const run = () => {
        // The first frames, and the one after the stall, may have more.
        vi.advanceTimersByTime(100);
        const before = figures.framesWith(2);
        vi.advanceTimersByTime(2000);
        twos.push(figures.framesWith(2) - before);
      };
      loop.start(timer());
      run();
      for (let i = 0; i < 3; i++) {
        loop.stop();
        loop.start();
        run();
        loop.start(timer());
        run();
        loop.reset();
        run();
        loop.advance(1);
        run();
      }
      expect(twos).toEqual(twos.map(() => 0));
      loop.stop();
    },
  );

  test("follows a new rate, and the time of a stop is not game time", () => {
    const loop = new Loop({ rate: 50 });
    const figures = measure(loop);
    loop.start(nodeTimer());
    vi.advanceTimersByTime(1000);
    changeRate(loop, 200);
    const { tick } = loop;
    vi.advanceTimersByTime(1000);
    expect(figures.framesWith(1)).toBeGreaterThan(240);
    expect(Math.abs(loop.tick - tick - 200)).toBeLessThanOrEqual(2);
    loop.stop();
    vi.advanceTimersByTime(5000);
    loop.start();
    vi.advanceTimersByTime(1000);
    expect(Math.abs(loop.time - 3)).toBeLessThan(0.03);
    loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an error in a frame stops the loop, which can be started again", () => {
    let fails = true;
    const loop = new Loop({
      rate: 50,
      step() {
        if (fails) throw new Error("broken");
      },
    });
    loop.start(timer());
    expect(() => vi.advanceTimersByTime(1000)).toThrow("broken");
    expect([loop.running, vi.getTimerCount()]).toEqual([false, 0]);
    fails = false;
    loop.start();
    vi.advanceTimersByTime(1000);
    expect(loop.tick).toBeGreaterThan(40);
    loop.stop();
  });

  test("a driver that is replaced runs no more frames", () => {
    const loop = new Loop({ rate: 50 });
    loop.start(timer());
    vi.advanceTimersByTime(1000);
    const { tick } = loop;
    loop.start({ start() {}, stop() {}, now: () => 0 });
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(loop.tick).toBe(tick);
    loop.stop();
  });

  test("a loop that is stopped in its first frame, or while it starts, leaves no timer", () => {
    const loop: Loop = new Loop({ rate: 50, render: () => loop.stop() });
    loop.start(timer());
    vi.advanceTimersByTime(1000);
    expect([loop.running, loop.tick, vi.getTimerCount()]).toEqual([false, 0, 0]);
    loop.on("start", () => loop.stop());
    loop.start();
    expect([loop.running, vi.getTimerCount()]).toEqual([false, 0]);
  });

  test("a driver serves one loop at a time, which is not disturbed by another", () => {
    const driver = timer();
    const [first, second] = [new Loop({ rate: 50 }), new Loop({ rate: 50 })];
    first.start(driver);
    expect(() => second.start(driver)).toThrow(
      "Loop.start: this driver already drives another loop. Create one per loop.",
    );
    vi.advanceTimersByTime(1000);
    expect([first.tick > 40, first.running, second.running]).toEqual([true, true, false]);
    first.stop();
    second.start(driver);
    vi.advanceTimersByTime(1000);
    expect(second.tick).toBeGreaterThan(40);
    second.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
