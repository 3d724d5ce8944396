import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Loop } from "../loop/index.js";
import { browserDriver } from "./browser.js";
import type { DriverHost } from "./driver.js";
import { nodeDriver } from "./node.js";
import { Schedule } from "./schedule.js";
import { timerDriver } from "./timer.js";

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
    timerDriver,
    "nodeDriver low": nodeDriver,
    "nodeDriver high": () => nodeDriver({ precision: "high" }),
  };
  test.each(Object.entries(drivers))(
    "%s: runs one step per frame, and leaves no timer after stop",
    (_, make) => {
      const loop = new Loop({ rate: [60000, 1001], driver: make() });
      loop.start();
      vi.advanceTimersByTime(20_000);
      expect(Math.abs(loop.tick - (20 * 60000) / 1001)).toBeLessThan(1);
      expect(loop.stats.framesWith(1)).toBe(loop.stats.frames - 2);
      expect(loop.stats.lostSeconds).toBe(0);
      loop.stop();
      expect(vi.getTimerCount()).toBe(0);
      const { tick } = loop;
      vi.advanceTimersByTime(1000);
      expect(loop.tick).toBe(tick);
    },
  );

  test.each([30, 60, 90, 144])(
    "at %d Hz, no start, swap, reset or stall makes frames of two steps",
    (rate) => {
      const loop = new Loop({ rate });
      const twos: number[] = [];
      const run = () => {
        // The first frames, and the one after the stall, may have more.
        vi.advanceTimersByTime(100);
        const before = loop.stats.framesWith(2);
        vi.advanceTimersByTime(2000);
        twos.push(loop.stats.framesWith(2) - before);
      };
      loop.start();
      run();
      for (let i = 0; i < 3; i++) {
        loop.stop();
        loop.start();
        run();
        loop.configure({ driver: timerDriver() });
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

  test("a loop without a driver uses a timer if there is no display", () => {
    const loop = new Loop({ rate: 50 });
    loop.start();
    vi.advanceTimersByTime(1000);
    expect(loop.tick).toBeGreaterThanOrEqual(48);
    loop.stop();
  });

  test("an error in a frame stops the loop, which can be started again", () => {
    let fails = true;
    const loop = new Loop({
      rate: 50,
      driver: timerDriver(),
      step() {
        if (fails) throw new Error("broken");
      },
    });
    loop.start();
    expect(() => vi.advanceTimersByTime(1000)).toThrow("broken");
    expect([loop.running, vi.getTimerCount()]).toEqual([false, 0]);
    fails = false;
    loop.start();
    vi.advanceTimersByTime(1000);
    expect(loop.tick).toBeGreaterThan(40);
    loop.stop();
  });

  test("ignores frames of a driver that was replaced", () => {
    const loop = new Loop({ rate: 50, driver: timerDriver() });
    let frame: ((timestamp: number) => void) | undefined;
    const other = { start: (give: typeof frame) => void (frame = give), stop() {}, now: () => 0 };
    loop.start();
    vi.advanceTimersByTime(1000);
    const { tick, overstep } = loop;
    loop.configure({ driver: other });
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(loop.tick).toBe(tick);
    frame!(123);
    frame!(143);
    expect([loop.tick, loop.overstep]).toEqual([tick + 1, overstep]);
    const old = frame!;
    loop.configure({ driver: timerDriver() });
    old(1000);
    expect(loop.tick).toBe(tick + 1);
    loop.stop();
  });

  test("a driver that is stopped while it starts does not run", () => {
    const hasty = timerDriver();
    const driver = {
      ...hasty,
      start(...args: Parameters<typeof hasty.start>) {
        args[1].tell({ kind: "hidden", reason: "" });
        hasty.start(...args);
      },
    };
    const loop = new Loop({ rate: 50, driver });
    loop.on("driver", () => loop.stop());
    loop.start();
    expect([loop.running, vi.getTimerCount()]).toEqual([false, 0]);
  });

  test("a driver serves one loop at a time", () => {
    const driver = timerDriver();
    const loops = [new Loop({ rate: 50, driver }), new Loop({ rate: 50, driver })] as const;
    loops[0].start();
    expect(() => loops[1].start()).toThrow(
      "Loop.start: this driver already drives another loop. Create one per loop.",
    );
    vi.advanceTimersByTime(1000);
    expect([loops[0].tick > 40, loops[1].running]).toEqual([true, false]);
    loops[0].stop();
    loops[1].start();
    vi.advanceTimersByTime(1000);
    expect(loops[1].tick).toBeGreaterThan(40);
    loops[1].stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("passes a rate that changes while running to the driver", () => {
    const loop = new Loop({ rate: 50 });
    loop.start();
    vi.advanceTimersByTime(1000);
    loop.reset();
    loop.configure({ rate: 200 });
    vi.advanceTimersByTime(1000);
    expect(loop.stats.framesWith(1)).toBeGreaterThan(190);
    loop.stop();
  });

  test("an error in a driver listener stops the loop", () => {
    let stopped = false;
    const driver = {
      start: (_: unknown, { tell }: DriverHost) => tell({ kind: "hidden", reason: "" }),
      stop: () => void (stopped = true),
      now: () => 0,
    };
    const loop = new Loop({ rate: 50, driver });
    loop.on("driver", () => {
      throw new Error("broken");
    });
    expect(() => loop.start()).toThrow("broken");
    expect([loop.running, stopped]).toEqual([false, true]);
  });

  test("browserDriver throws if there is no display", () => {
    const loop = new Loop({ rate: 50, driver: browserDriver() });
    expect(() => loop.start()).toThrow(
      "browserDriver: requestAnimationFrame does not exist on this platform. Use timerDriver().",
    );
  });

  test("a driver that cannot start leaves the loop stopped", () => {
    const broken = {
      start() {
        throw new Error("no display");
      },
      stop() {},
      now: () => 0,
    };
    const loop = new Loop({ rate: 50 });
    loop.start();
    expect(() => loop.configure({ driver: broken })).toThrow("no display");
    expect([loop.running, vi.getTimerCount()]).toEqual([false, 0]);
  });
});
