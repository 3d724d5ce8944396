import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDisplay } from "../../testing/index.js";
import { Loop } from "../loop.js";
import type { LoopOptions } from "../options.js";
import { semiFixed } from "../stepping.js";
import { catchUp } from "./catch-up.js";
import { measure } from "./measure.js";
import { ramp } from "./ramp.js";
import { timeScale } from "./time-scale.js";
import { speedOf } from "./timestamps.js";

test("steps stop for exactly the time of a hit-stop, and frames go on", () => {
  let frames = 0;
  const loop = new Loop({ rate: 60, render: () => void frames++ });
  const figures = measure(loop);
  for (let i = 0; i < 60; i++) loop.advance(1 / 60);
  timeScale(loop).hitStop(0.1);
  expect([speedOf(loop), timeScale(loop).value, timeScale(loop).stopped]).toEqual([0, 1, 0.1]);
  for (let i = 0; i < 6; i++) loop.advance(1 / 60);
  expect([loop.tick, frames, speedOf(loop), timeScale(loop).stopped]).toEqual([60, 66, 1, 0]);
  for (let i = 0; i < 54; i++) loop.advance(1 / 60);
  expect([loop.tick, loop.lostSeconds]).toEqual([114, 0]);
  expect(figures.effectiveSpeed).toBeCloseTo(1.9 / 2, 12);
});

test.each([240, 144, 60, 30, 20, 10, 5, 4])(
  "in a step at %d fps, the hit's own step is the last one before it",
  (fps) => {
    const frames: number[] = [];
    let frame = 0;
    const loop = new Loop({
      rate: 60,
      step({ tick }) {
        frames[tick] = frame;
        if (tick === 30) timeScale(loop).hitStop(0.2);
      },
    });
    for (frame = 1; frame <= fps; frame++) loop.advance(1 / fps);
    // The next step comes 0.2 s after the end of the hit's frame.
    const frozen = (frames[31]! - frames[30]! - 1) / fps;
    expect(frozen).toBeGreaterThan(0.2 - 1 / fps - 1e-9);
    expect(frozen).toBeLessThan(0.2 + 1 / 60 + 1e-9);
    expect(loop.lostSeconds).toBe(0);
  },
);

describe("in step 3 of a frame of 15 steps", () => {
  const hitIn3 = (hit: (loop: Loop) => void, options: Partial<LoopOptions> = {}) => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && hit(loop)), ...options });
    loop.advance(0.25);
    return loop;
  };
  const freeze = (loop: Loop) => timeScale(loop).hitStop(0.1);

  test("ends the frame's steps; their time was never given", () => {
    const loop = hitIn3(freeze);
    expect([loop.tick, loop.kernel.owed, speedOf(loop), loop.lostSeconds]).toEqual([4, 0, 0, 0]);
    loop.advance(0.15);
    expect([loop.tick, speedOf(loop), loop.lostSeconds]).toEqual([7, 1, 0]);
  });

  test("the longer one of two counts", () => {
    for (const seconds of [
      [0.05, 0.1],
      [0.1, 0.05],
    ]) {
      const loop = hitIn3((hit) => seconds.forEach((time) => timeScale(hit).hitStop(time)));
      expect(timeScale(loop).stopped).toBe(0.1);
    }
  });

  test("of no length changes nothing", () => {
    expect(hitIn3((loop) => timeScale(loop).hitStop(0)).tick).toBe(15);
  });

  test("from any listener around the step", () => {
    for (const event of ["beforeStep", "step", "afterStep"] as const) {
      const loop = new Loop({ rate: 60 });
      loop.on(event, ({ tick }) => void (tick === 3 && freeze(loop)));
      loop.advance(0.25);
      expect([event, loop.tick]).toEqual([event, 4]);
    }
  });

  test("comes before the limits of the frame", () => {
    const limited = hitIn3(freeze, { maxSteps: 5 });
    expect([limited.tick, limited.lostSeconds]).toEqual([4, 0]);
    const owing: Loop = new Loop({
      rate: 60,
      maxSteps: 5,
      step: ({ tick }) => void (tick === 3 && freeze(owing)),
    });
    const debt = catchUp(owing, 1);
    owing.advance(0.25);
    expect([owing.tick, debt.debt, owing.lostSeconds]).toEqual([4, 0, 0]);
  });

  test("is not used up by the time that the frame's clamp cuts off", () => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && freeze(loop)) });
    loop.advance(5);
    expect([loop.tick, timeScale(loop).stopped, loop.lostSeconds]).toEqual([4, 0.1, 4.75]);
  });

  test("waits for a pause, and for steps that are forced", () => {
    for (const hit of [
      (loop: Loop) => (loop.pause(), freeze(loop)),
      (loop: Loop) => (freeze(loop), loop.pause()),
    ]) {
      const loop = hitIn3(hit);
      loop.advance(10);
      loop.resume();
      loop.advance(0.15);
      expect(loop.tick).toBe(4 + 3);
    }
    const forced: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && freeze(forced)) });
    forced.runSteps(10);
    expect(forced.tick).toBe(10);
    forced.advance(0.15);
    expect(forced.tick).toBe(13);
  });

  test("with another stepping", () => {
    const loop = hitIn3(freeze, { stepping: semiFixed() });
    expect(loop.tick).toBe(4);
    expect(loop.time).toBeCloseTo(4 / 60, 8);
    loop.advance(0.11);
    expect(loop.time).toBeCloseTo(4 / 60 + 0.01, 8);
  });
});

test("a ramp waits for a hit-stop, and the frame in which it ends continues with it", () => {
  const loop = new Loop({ rate: 1000, maxFrameTime: 10 });
  timeScale(loop).set(ramp(0, 1));
  timeScale(loop).hitStop(0.1);
  loop.advance(0.1);
  expect([loop.tick, timeScale(loop).value, timeScale(loop).stopped]).toEqual([0, 1, 0]);
  loop.advance(1);
  expect([loop.tick, timeScale(loop).value]).toEqual([500, 0]);
  timeScale(loop).set(1);
  timeScale(loop).hitStop(0.1);
  loop.advance(0.3);
  expect(loop.tick).toBe(700);
});

test("reset ends a hit-stop", () => {
  const loop = new Loop({ rate: 60 });
  timeScale(loop).hitStop(10);
  loop.reset();
  loop.advance(0.1);
  expect(loop.tick).toBe(6);
});

test("on a display, no time is lost", () => {
  const screen = manualDisplay();
  const loop = new Loop({
    rate: 60,
    step({ tick }) {
      if (tick % 60 === 59) timeScale(loop).hitStop(0.25);
    },
  });
  loop.start(screen);
  screen.display(60, 10);
  // Each second of the game takes 1.25 s.
  expect(Math.abs(loop.tick - 480)).toBeLessThanOrEqual(1);
  expect(loop.lostSeconds).toBe(0);
});

test.each([undefined, "0.1", -1, NaN, Infinity, 3601])("hitStop(%s) is refused", (seconds) => {
  const loop = new Loop({ rate: 60 });
  expect(() => timeScale(loop).hitStop(seconds as number)).toThrow(
    errorWith("bad-value", "TimeScale.hitStop: seconds"),
  );
  expect(speedOf(loop)).toBe(1);
});
