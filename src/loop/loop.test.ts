import { describe, expect, test } from "vitest";
import { catchUp } from "./parts/catch-up.js";
import { every } from "./parts/every.js";
import { timeScale } from "./parts/time-scale.js";
import { manualLoop } from "../testing/index.js";
import type { FrameInfo, StepInfo } from "./info.js";
import { Loop } from "./loop.js";
import type { LoopOptions } from "./options.js";
import type { Rate } from "./rate.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

/** Creates a loop that logs its calls. */
function recorded(options: Partial<LoopOptions> = {}) {
  const steps: StepInfo[] = [];
  const frames: FrameInfo[] = [];
  const loop = new Loop({
    rate: 60,
    ...options,
    step: (info) => void steps.push({ ...info }),
    render: (info) => void frames.push({ ...info }),
  });
  return { loop, steps, frames };
}

describe("exact time", () => {
  test.each<Rate>([30, 60, 120, 144, [60_000, 1001], [1, 3600], 1e5])(
    "at %j, a frame of n / rate is n steps, also with maxSteps: 1",
    (rate) => {
      const loop = new Loop({ rate, maxSteps: 1, maxFrameTime: 3600 });
      const [numerator, denominator] = loop.rate;
      for (let i = 1; i <= 1000; i++) {
        loop.advance(i % 2 ? denominator / numerator : loop.dt);
        expect([loop.tick, loop.lostSeconds, loop.kernel.owed]).toEqual([i, 0, 0]);
      }
    },
  );

  test("24 hours of 1 / 144 s frames at 60 Hz run exactly 5,184,000 steps", () => {
    const loop = new Loop({ rate: 60 });
    times(24 * 3600 * 144, () => loop.advance(1 / 144));
    expect([loop.tick, loop.kernel.owed]).toEqual([5_184_000, 0]);
  });

  test("time is tick / rate, computed and never summed", () => {
    const { loop, steps } = recorded({ rate: [60000, 1001] });
    loop.runSteps(1000);
    for (const { tick, dt, time } of steps) expect([dt, time]).toEqual([1001 / 60000, (tick * 1001) / 60000]);
    expect(loop.time).toBe((1000 * 1001) / 60000);
  });

  test("runs the steps that are due, then draws between the last two states", () => {
    const { loop, steps, frames } = recorded({ rate: 4, maxFrameTime: 1 });
    loop.advance(0.625);
    expect(steps).toEqual([
      { tick: 0, dt: 0.25, time: 0 },
      { tick: 1, dt: 0.25, time: 0.25 },
    ]);
    expect(frames).toEqual([
      { alpha: 0.5, tick: 2, steps: 2, shownTime: 0.375, delta: 0.625, realDelta: 0.625, timestamp: 625 },
    ]);
    expect([loop.alpha, loop.kernel.owed / loop.kernel.second]).toEqual([0.5, 0.125]);
  });

  test("time that stands still or goes back is no time", () => {
    const { loop, frames } = recorded();
    for (const seconds of [0, -1, -1e-9]) loop.advance(seconds);
    for (const frame of frames)
      expect(frame).toEqual({
        alpha: 0,
        tick: 0,
        steps: 0,
        shownTime: 0,
        delta: 0,
        realDelta: 0,
        timestamp: 0,
      });
    expect([frames.length, loop.kernel.owed]).toEqual([3, 0]);
  });

  test.each([NaN, Infinity, -Infinity, 1e300, "1", undefined, null, 1n])(
    "%s is a clear error, and the loop lives on",
    (seconds) => {
      const { loop, frames } = recorded();
      loop.advance(0.01);
      expect(() => loop.advance(seconds as number)).toThrow(
        /^Loop\.advance: seconds must be a number from -4000000 to 4000000, got /,
      );
      loop.advance(0.01);
      expect([loop.tick, frames.length]).toEqual([1, 2]);
    },
  );
});

describe("long frames", () => {
  test("no nanosecond of 40 days is lost", () => {
    const loop = new Loop({ rate: 60 });
    times(2, () => loop.advance(3_456_000));
    loop.advance(1e-9);
    expect([loop.tick, loop.lostSeconds, loop.kernel.owed]).toEqual([30, 2 * (3_456_000 - 0.25), 60]);
  });

  test.each<Rate>([60, [60_000, 1001], [22_000_001, 1_000_000], 1e5, [1, 3600], [90_000_000, 3]])(
    "46 days at %j: what was not simulated is lost, exactly and at once",
    (rate) => {
      const loop = new Loop({ rate, maxSteps: 10 });
      loop.advance(4e6);
      const owed = loop.kernel.owed / loop.kernel.second;
      expect(loop.time + owed + loop.lostSeconds).toBeCloseTo(4e6, 8);
      expect(loop.tick).toBe(Math.min(10, Math.floor(0.25 / loop.dt)));
    },
  );

  test.each<[Rate, number]>([
    [[60_000, 1001], 2_997_002],
    [[22_000_001, 1_000_000], 1_100_000],
    [[1, 3600], 13],
  ])("50 s at a time scale of 1000 and %j: %i steps, and no unit is lost", (rate, steps) => {
    const loop = new Loop({ rate, maxFrameTime: 3600 });
    timeScale(loop).set(1000);
    loop.advance(50);
    expect([loop.tick, loop.lostSeconds]).toEqual([steps, 0]);
    const { step, owed, second } = loop.kernel;
    expect(BigInt(loop.tick) * BigInt(step) + BigInt(owed)).toBe(50_000n * BigInt(second));
  });
});

describe("frames", () => {
  test("shown time never runs backwards, and starts at 0", () => {
    const shown: number[] = [];
    const loop = new Loop({ rate: 60, maxSteps: 2, render: ({ shownTime }) => void shown.push(shownTime) });
    const random = seeded(7);
    times(2000, () => {
      if (random() < 0.1) timeScale(loop).set(random() * 2);
      if (random() < 0.05) loop.runSteps();
      loop.advance(random() * 0.06 - 0.01);
    });
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(0);
    for (let i = 1; i < shown.length; i++) expect(shown[i]).toBeGreaterThanOrEqual(shown[i - 1]!);
  });

  test("while paused, realDelta goes on for menus and delta is 0", () => {
    const { loop, frames, steps } = recorded();
    loop.pause();
    loop.advance(0.5);
    expect(frames[0]).toMatchObject({ delta: 0, realDelta: 0.5, steps: 0, timestamp: 500 });
    loop.resume();
    loop.advance(0.01);
    expect(steps).toHaveLength(0);
    expect([loop.kernel.owed / loop.kernel.second, loop.lostSeconds]).toEqual([0.01, 0]);
  });

  test("delta is scaled and clamped, realDelta is neither", () => {
    const { loop, frames } = recorded();
    timeScale(loop).set(0.5);
    loop.advance(2);
    expect(frames[0]).toMatchObject({ delta: 0.125, realDelta: 2 });
  });

  test("reuses the info objects", () => {
    const seen = new Set<unknown>();
    const loop = new Loop({
      rate: 60,
      step: (info) => void seen.add(info),
      render: (info) => void seen.add(info),
    });
    times(10, () => loop.advance(0.02));
    expect(seen).toEqual(new Set([expect.objectContaining({ dt: 1 / 60 }), loop.frame]));
    expect(seen.size).toBe(2);
  });

  test("calls callbacks as methods of the options", () => {
    class Game {
      rate = 60;
      steps = 0;
      step() {
        this.steps++;
      }
    }
    const game = new Game();
    new Loop(game).runSteps(3);
    expect(game.steps).toBe(3);
  });

  test("a driver and advance() give the same ticks and alphas for the same times", () => {
    const stamps = Array.from({ length: 500 }, (_, i) => (i * 1000) / 60 + (i % 3) * 0.3);
    const driven = manualLoop({ rate: 60 });
    const byHand = new Loop({ rate: 60 });
    driven.driver.play([stamps[0]!]);
    for (let i = 1; i < stamps.length; i++) {
      driven.driver.play([stamps[i]!]);
      byHand.advance((stamps[i]! - stamps[i - 1]!) / 1000);
      expect([driven.tick, driven.alpha]).toEqual([byHand.tick, byHand.alpha]);
    }
  });

  test("the timestamp of a frame is the driver's, or the sum of all frames", () => {
    const { loop, frames } = recorded();
    times(2, () => loop.advance(0.02));
    loop.advance(0.02, 5000);
    loop.runSteps(2);
    loop.advance(0.02);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([20, 40, 5000, 5000, 5020]);
  });
});

describe("runSteps", () => {
  test("runs exactly that many steps while paused, and draws once", () => {
    const { loop, steps, frames } = recorded({ maxSteps: 1 });
    loop.pause();
    loop.runSteps(5);
    expect(steps.map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4]);
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ steps: 5, delta: 5 / 60, realDelta: 0 });
    loop.runSteps(0);
    expect([loop.tick, frames.length]).toEqual([5, 2]);
  });

  test("takes no time, and leaves what is owed", () => {
    const loop = new Loop({ rate: 10 });
    loop.advance(0.15);
    loop.runSteps(2);
    expect([loop.tick, loop.alpha, loop.frame.shownTime]).toEqual([3, 0.5, 0.25]);
    loop.advance(0.05);
    expect(loop.tick).toBe(4);
  });

  test.each([-1, 1.5, NaN, "2", null])("rejects %s", (count) => {
    expect(() => new Loop({ rate: 60 }).runSteps(count as number)).toThrow(
      /^Loop\.runSteps: count must be a whole number, 0 or more, got /,
    );
  });
});

describe("settings", () => {
  test("limits can change at any time, and are checked", () => {
    const loop = new Loop({ rate: 10, maxFrameTime: 1 });
    loop.maxSteps = 2;
    loop.advance(0.5);
    expect([loop.tick, loop.lostSeconds]).toEqual([2, 0.3]);
    loop.maxSteps = Infinity;
    loop.maxFrameTime = 0.2;
    loop.advance(0.5);
    expect([loop.tick, loop.lostSeconds, loop.maxSteps, loop.maxFrameTime]).toEqual([4, 0.6, Infinity, 0.2]);
    expect(() => (loop.maxSteps = 0)).toThrow("Loop: maxSteps must be a whole number, 1 or more, got 0.");
    expect(() => (loop.maxFrameTime = 0)).toThrow("Loop: maxFrameTime must be a number from");
    expect([loop.maxSteps, loop.maxFrameTime]).toEqual([Infinity, 0.2]);
  });

  test("reset clears time and keeps settings", () => {
    const { loop, frames } = recorded({ maxSteps: 2 });
    const beat = every(loop, 30, () => {});
    const debt = catchUp(loop, 0.1);
    timeScale(loop).set(0.5);
    loop.advance(1);
    loop.reset();
    const { kernel, frame } = loop;
    expect([loop.tick, loop.time, kernel.owed, loop.alpha, loop.lostSeconds, beat.tick, debt.debt]).toEqual([
      0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(frame).toMatchObject({ tick: 0, steps: 0, delta: 0, realDelta: 0, shownTime: 0 });
    expect([timeScale(loop).value, loop.maxSteps, debt.max, loop.rate]).toEqual([0.5, 2, 0.1, [60, 1]]);
    loop.advance(0.2);
    expect([loop.tick, beat.tick, frames.length]).toEqual([2, 1, 2]);
  });
});

function seeded(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
