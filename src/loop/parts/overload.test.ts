// What a loop does with more time than it can simulate.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDisplay, manualDriver, manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import type { LoopOptions } from "../options.js";
import { catchUp } from "./catch-up.js";
import { measure } from "./measure.js";
import { onOverload } from "./overload.js";
import { stepBudget } from "./step-budget.js";
import { timeScale } from "./time-scale.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

/** Logs the overloads of a loop. */
function overloadsOf(loop: Loop) {
  const overloads: unknown[] = [];
  onOverload(loop, (info) => void overloads.push({ ...info }));
  return overloads;
}

describe("onOverload", () => {
  test("a 5 s stall drops what it cannot simulate, and says exactly how much", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 0.25 });
    const overloads = overloadsOf(loop);
    loop.advance(5);
    expect([loop.tick, loop.lostSeconds, loop.alpha]).toEqual([15, 4.75, 0]);
    expect(overloads).toEqual([{ tick: 15, lost: 4.75, clamped: 4.75, skipped: 0 }]);
    loop.advance(0.1);
    expect(overloads).toHaveLength(1);
  });

  test("maxSteps loses whole steps and keeps the fraction", () => {
    const loop = new Loop({ rate: 10, maxSteps: 1 });
    const overloads = overloadsOf(loop);
    loop.advance(0.25);
    expect([loop.tick, loop.kernel.owed / loop.kernel.second, loop.lostSeconds]).toEqual([1, 0.05, 0.1]);
    expect(overloads).toEqual([{ tick: 1, lost: 0.1, clamped: 0, skipped: 1 }]);
  });

  test("both at once are one overload, also if it is made up for later", () => {
    const loop = new Loop({ rate: 100, maxFrameTime: 0.1, maxSteps: 4 });
    const overloads = overloadsOf(loop);
    timeScale(loop).set(0.5);
    catchUp(loop, 0.05);
    loop.advance(0.3);
    // Of 0.15 virtual seconds, 0.1 are cut off. Of the five steps in the rest, one does not run.
    expect(overloads).toEqual([{ tick: 4, lost: expect.closeTo(0.06, 12), clamped: 0.1, skipped: 1 }]);
  });

  test("comes before the frame is drawn, after its steps", () => {
    const heard: string[] = [];
    const loop = new Loop({
      rate: 10,
      maxSteps: 1,
      step: () => void heard.push("step"),
      render: () => void heard.push("render"),
    });
    onOverload(loop, () => void heard.push("overload"));
    loop.advance(0.2);
    expect(heard).toEqual(["step", "overload", "render"]);
  });

  test("ends when it is removed, and after an error", () => {
    const loop = new Loop({ rate: 10 });
    let calls = 0;
    const off = onOverload(loop, ({ lost }) => {
      calls++;
      if (lost > 1) throw new Error("mine");
    });
    expect(() => loop.advance(5)).toThrow("mine");
    loop.advance(0.5);
    off();
    loop.advance(5);
    expect(calls).toBe(2);
  });

  test("checks its arguments", () => {
    expect(() => onOverload({} as never, () => {})).toThrow(
      errorWith("bad-value", "onOverload: loop must be a Loop"),
    );
    expect(() => onOverload(new Loop({ rate: 60 }), 1 as never)).toThrow(
      errorWith("bad-value", "onOverload: listener must be a function, got 1."),
    );
  });
});

test("after 60 s at 10 fps, the loop returns to one step per frame at once", () => {
  const steps: number[] = [];
  const loop = new Loop({ rate: 60, maxSteps: 4, render: (frame) => void steps.push(frame.steps) });
  times(600, () => loop.advance(0.1));
  steps.length = 0;
  times(60, () => loop.advance(1 / 60));
  expect(new Set(steps)).toEqual(new Set([1]));
});

test("effective speed is continuous in frame time, without a cliff", () => {
  for (const [options, seconds] of [
    [{}, 0],
    [{ maxSteps: 4 }, 0],
    [{ maxFrameTime: 0.05 }, 0],
    [{}, 0.3],
  ] as const) {
    const speed = (frameTime: number) => {
      const loop = new Loop({ rate: 60, ...options });
      const figures = measure(loop);
      catchUp(loop, seconds);
      times(Math.ceil(60 / frameTime), () => loop.advance(frameTime));
      return figures.effectiveSpeed;
    };
    let before = speed(0.001);
    for (let frameTime = 0.002; frameTime < 1; frameTime *= 1.02) {
      const now = speed(frameTime);
      expect(now).toBeLessThanOrEqual(1 + 1e-12);
      expect(Math.abs(now - before), `at ${frameTime} s with ${JSON.stringify(options)}`).toBeLessThan(0.05);
      before = now;
    }
  }
});

describe("a step that costs 1.5 × dt", () => {
  const COST = 1.5 / 60;

  /** Runs ten seconds on a 60 Hz display. Returns frames per second, effective speed and lost seconds of the last five. */
  function suffer(options: Partial<LoopOptions>, setUp: (loop: Loop) => void = () => {}) {
    const driver = manualDriver();
    let frames = 0;
    const loop = new Loop({
      rate: 60,
      ...options,
      step: () => driver.spend(COST),
      render: () => void frames++,
    });
    setUp(loop);
    loop.start(driver);
    driver.display(60, 5);
    const before = { frames, lost: loop.lostSeconds, tick: loop.tick, time: driver.time };
    driver.display(60, 5);
    const seconds = (driver.time - before.time) / 1000;
    return {
      fps: Math.round((frames - before.frames) / seconds),
      speed: Number(((loop.tick - before.tick) / 60 / seconds).toFixed(2)),
      lost: Number(((loop.lostSeconds - before.lost) / seconds).toFixed(2)),
      debt: catchUp(loop, catchUp(loop, 0).max).debt,
    };
  }

  test("with the clamp alone, the spiral ends at 2.6 frames per second", () => {
    expect(suffer({})).toEqual({ fps: 3, speed: 0.65, lost: 0.35, debt: 0 });
  });

  test("a tighter clamp keeps the frame rate proportionally higher", () => {
    expect(suffer({ maxFrameTime: 0.05 })).toMatchObject({ fps: 12, speed: 0.6 });
  });

  test("maxSteps keeps the frame rate up", () => {
    expect(suffer({ maxSteps: 1 })).toMatchObject({ fps: 30, speed: 0.5, lost: 0.5 });
  });

  test("stepBudget predicts the cost and runs one step per frame", () => {
    expect(suffer({}, (loop) => stepBudget(loop, 0.012))).toMatchObject({ fps: 30, speed: 0.5, lost: 0.5 });
  });

  test("with catchUp, debt stays at its bound and frames stay at the clamp", () => {
    const { debt, ...rest } = suffer({}, (loop) => catchUp(loop, 0.5));
    expect(rest).toEqual({ fps: 3, speed: 0.65, lost: 0.35 });
    expect(debt).toBeCloseTo(0.5);
  });

  test("with a step budget, debt does not cause a spiral", () => {
    const both = (loop: Loop) => (stepBudget(loop, 0.012), catchUp(loop, 0.5));
    expect(suffer({}, both)).toMatchObject({ fps: 30, speed: 0.5 });
  });
});

test("timestamps of whole milliseconds: a budget of one step loses time, unless a display is known or it may be owed", () => {
  const lost = (setUp: (loop: Loop) => void, driver = manualDriver()) => {
    const loop = new Loop({ rate: 60, step: ({ dt }) => driver.spend(dt / 2) });
    stepBudget(loop, 0.012);
    setUp(loop);
    loop.start(driver);
    for (let frame = 0; frame <= 600; frame++) driver.play([Math.floor((frame * 1000) / 60)]);
    return loop.lostSeconds;
  };
  expect(lost(() => {})).toBeGreaterThan(1);
  expect(lost(() => {}, manualDisplay())).toBe(0);
  expect(lost((loop) => catchUp(loop, 0.05))).toBe(0);
});

test("clamps and reports the days that a machine slept", () => {
  const loop = manualLoop({ rate: 60 });
  loop.driver.play([0, 3 * 86_400_000]);
  expect([loop.tick, loop.lostSeconds]).toEqual([15, 3 * 86_400 - 0.25]);
});
