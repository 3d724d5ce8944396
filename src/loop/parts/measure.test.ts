import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDisplay, manualDriver, manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { onePerFrame } from "../stepping.js";
import { measure } from "./measure.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

describe("counts", () => {
  test("frames by their steps, in total and recently", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 1 });
    const figures = measure(loop);
    times(1000, () => loop.advance(1 / 60));
    loop.advance(0.2);
    expect([figures.frames, figures.steps, loop.tick]).toEqual([1001, 1012, 1012]);
    expect([0, 1, 8, 12, 99, -1].map((steps) => figures.framesWith(steps))).toEqual([0, 1000, 1, 0, 0, 0]);
    expect(figures.recent.frames).toBe(128 + (1001 % 128));
    expect(figures.frameTime).toBeCloseTo((1000 / 60 + 0.2) / 1001, 9);
    expect(figures.effectiveSpeed).toBeCloseTo(1, 12);
  });

  test("lost time, frames without time, and forced steps", () => {
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop, () => 0);
    loop.advance(1 / 60);
    loop.advance(5);
    loop.advance(0);
    loop.runSteps(4);
    expect(figures).toMatchObject({ frames: 4, steps: 20, overloads: 1, framesWithoutTime: 1 });
    expect(figures.lostSeconds).toBe(4.75);
    expect(figures.effectiveSpeed).toBeCloseTo((0.25 + 1 / 60) / (5 + 1 / 60), 12);
    expect([0, 1, 4, 8].map((steps) => figures.framesWith(steps))).toEqual([1, 1, 1, 1]);
  });

  test("from the first call of measure on, and again after a reset", () => {
    const loop = new Loop({ rate: 60 });
    times(10, () => loop.advance(0.1));
    const figures = measure(loop);
    expect(measure(loop)).toBe(figures);
    expect([figures.frames, figures.steps, figures.effectiveSpeed]).toEqual([0, 0, 1]);
    times(3, () => loop.advance(0.1));
    expect([figures.frames, figures.steps, figures.effectiveSpeed]).toEqual([3, 18, 1]);
    loop.reset();
    expect([figures.frames, figures.steps, figures.frameTime, figures.effectiveSpeed]).toEqual([0, 0, 0, 1]);
  });

  test("a first frame as any other", () => {
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop);
    loop.advance(-1);
    loop.advance(1 / 120);
    expect([figures.effectiveSpeed, loop.frame.delta]).toEqual([1, 1 / 120]);
    const driven = manualLoop({ rate: 60 });
    driven.driver.play([5000, 5010]);
    expect(measure(driven).effectiveSpeed).toBe(1);
  });

  test("the steps of other steppings", () => {
    const loop = new Loop({ rate: 60, stepping: onePerFrame() });
    const figures = measure(loop);
    times(144, () => loop.advance(1 / 144));
    expect(figures.effectiveSpeed).toBeCloseTo(2.4, 6);
  });
});

describe("costs", () => {
  test("are read from the driver's clock", () => {
    const driver = manualDriver();
    const loop = new Loop({
      rate: 50,
      step: () => driver.spend(0.005),
      render: () => driver.spend(0.003),
    });
    const figures = measure(loop);
    loop.start(driver);
    driver.display(60, 2);
    expect(figures.stepCost).toBeCloseTo(0.005, 9);
    expect(figures.renderCost).toBeCloseTo(0.003, 9);
    expect(figures.load).toBeCloseTo(0.25, 7);
    expect(figures.recent.load).toBeCloseTo(0.25, 7);
  });

  test("include beats and listeners", () => {
    let clock = 0;
    const loop = new Loop({ rate: 50 });
    for (const event of ["enterStep", "beat", "step", "leaveStep"] as const)
      loop.on(event, () => void (clock += 1));
    for (const event of ["beforeRender", "render"] as const) loop.on(event, () => void (clock += 2));
    const figures = measure(loop, () => clock);
    times(10, () => loop.advance(0.02));
    expect([figures.stepCost, figures.renderCost].map((cost) => Math.round(cost * 1e6))).toEqual([
      4000, 4000,
    ]);
  });

  test("recent ones are those of the recent steps", () => {
    let clock = 0;
    const loop = new Loop({ rate: 50, step: ({ tick }) => void (clock += tick < 128 ? 8 : 2) });
    const figures = measure(loop, () => clock);
    times(256, () => loop.advance(0.02));
    expect([figures.recent.steps, figures.steps]).toEqual([128, 256]);
    expect(figures.recent.stepCost).toBeCloseTo(0.002, 12);
    expect(figures.stepCost).toBeCloseTo(0.005, 12);
  });

  test("do not include the time between frames, of frames without a step, or while paused", () => {
    let clock = 0;
    const loop = new Loop({ rate: 10, step: () => void (clock += 2), render: () => void (clock += 3) });
    const figures = measure(loop, () => clock);
    times(30, () => {
      clock += 1000;
      loop.advance(0.05);
      clock += 1000;
      loop.runSteps(1);
    });
    loop.pause();
    clock += 1000;
    loop.advance(0.05);
    expect([figures.stepCost, figures.renderCost]).toEqual(
      [0.002, 0.003].map((cost) => expect.closeTo(cost, 12)),
    );
  });

  test("a clock that leaps is ignored", () => {
    const readings = [5, NaN, 3, Infinity, -Infinity, 7];
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop, () => readings[loop.tick % 6]!);
    times(20, () => loop.advance(0.02));
    expect(figures.stepCost >= 0 && figures.stepCost < 1).toBe(true);
  });
});

describe("on a display", () => {
  test("judder, dropped and irregular frames", () => {
    const screen = manualDisplay({}, 5);
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop);
    loop.start(screen);
    screen.display(60, 10);
    expect(figures.recent).toMatchObject({ droppedFrames: 0, irregularFrames: 0 });
    expect(figures.recent.judder).toBeLessThan(0.001);
    // Every tenth frame comes a refresh late.
    for (let i = 0; i < 30; i++) {
      screen.display(60, 8 / 60);
      screen.display(30, 1 / 30);
    }
    expect(figures.droppedFrames).toBe(30);
    expect(figures.recent.judder).toBeGreaterThan(0.3);
    expect(figures.recent.moveError).toBeLessThan(0.01);
    expect(figures.recent.irregularFrames).toBe(0);
  });

  test("other drivers have no refreshes to measure", () => {
    const loop = manualLoop({ rate: 60 });
    const figures = measure(loop);
    loop.driver.display(60, 1);
    loop.driver.display(30, 1);
    expect(figures).toMatchObject({ droppedFrames: 0, irregularFrames: 0, judder: 0, moveError: 0 });
  });
});

test("knows what the driver noticed since the start", () => {
  const loop = new Loop({ rate: 60 });
  const figures = measure(loop);
  loop.start(manualDisplay());
  expect(figures.notice).toBe(undefined);
  loop.emit("driver", { kind: "hidden", reason: "" });
  expect(figures.notice).toEqual({ kind: "hidden", reason: "" });
  loop.stop();
  loop.start();
  expect(figures.notice).toBe(undefined);
});

test("rejects bad arguments", () => {
  expect(() => measure({} as never)).toThrow(errorWith("bad-value", "measure: loop must be a Loop"));
  expect(() => measure(new Loop({ rate: 60 }), 1 as never)).toThrow(
    errorWith("bad-value", "measure: now must be a function, got 1."),
  );
});
