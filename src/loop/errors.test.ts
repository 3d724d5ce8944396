// Errors in callbacks: they stop the loop in a known state, from which it can go on.
import { describe, expect, test } from "vitest";
import { manualDriver, manualLoop } from "../testing/index.js";
import { Loop } from "./loop.js";
import type { LoopOptions } from "./options.js";
import { catchUp } from "./parts/catch-up.js";
import { every } from "./parts/every.js";
import { measure } from "./parts/measure.js";
import { timeScale } from "./parts/time-scale.js";
import { semiFixed, variable } from "./stepping.js";

/** Creates a loop, and a function that runs a frame whose steps throw. */
function fallible(options: LoopOptions) {
  let isBad = false;
  const loop = new Loop({
    ...options,
    step(info) {
      if (isBad) throw new Error("mine");
      options.step?.(info);
    },
  });
  const fail = (seconds: number) => {
    isBad = true;
    expect(() => loop.advance(seconds)).toThrow("mine");
    isBad = false;
  };
  return { loop, fail };
}

test.each([
  "scale",
  "beforeStep",
  "enterStep",
  "beat",
  "step",
  "leaveStep",
  "afterStep",
  "frame",
  "present",
  "beforeRender",
  "render",
  "afterRender",
] as const)("in %s stops the loop in a known state; it can go on", (where) => {
  const driver = manualDriver();
  const loop = new Loop({ rate: 60 });
  let isBroken = false;
  loop.on(where, () => {
    if (isBroken) throw new Error("mine");
  });
  loop.start(driver);
  driver.wait(0);
  isBroken = true;
  expect(() => driver.wait(0.1)).toThrow("mine");
  expect(loop.running).toBe(false);
  expect(loop.frame).toMatchObject({ tick: loop.tick, alpha: loop.kernel.alpha });
  isBroken = false;
  loop.start();
  driver.play([driver.time, driver.time + 100]);
  const { step, second, owed } = loop.kernel;
  // The time of a frame that was not taken yet is the only one that is gone.
  const taken = where === "scale" ? 0.1 : 0.2;
  expect(loop.tick * step + owed).toBe(Math.round(taken * second));
  expect([loop.running, loop.lostSeconds]).toEqual([true, 0]);
});

describe("a step that throws", () => {
  test("stays owed, and runs again with the next frame, even one without time", () => {
    let fails = true;
    const steps: number[] = [];
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        steps.push(tick);
        if (tick === 1 && fails) throw new Error("no");
      },
    });
    loop.start(manualDriver());
    expect(() => loop.advance(0.25)).toThrow("no");
    expect([loop.tick, loop.running, loop.alpha, loop.frame.shownTime]).toEqual([1, false, 1, 0.1]);
    fails = false;
    loop.start();
    loop.advance(0);
    expect([loop.tick, loop.running, loop.lostSeconds, loop.alpha]).toEqual([2, true, 0, 0.5]);
    expect(steps).toEqual([0, 1, 1]);
  });

  test("runs again, but not its beats", () => {
    const heard: string[] = [];
    const loop = new Loop({
      rate: 60,
      step({ tick }) {
        heard.push(`step ${tick}`);
        if (heard.length === 4) throw new Error("mine");
      },
    });
    every(loop, 60, ({ tick }) => void heard.push(`beat ${tick}`));
    expect(() => loop.runSteps(3)).toThrow("mine");
    loop.runSteps(2);
    expect(heard).toEqual(["beat 0", "step 0", "beat 1", "step 1", "step 1", "beat 2", "step 2"]);
  });

  test("again and again does not pile up steps: they never exceed maxFrameTime, and the rest is lost", () => {
    const { loop, fail } = fallible({ rate: 60 });
    for (let i = 0; i < 100; i++) fail(0.1);
    loop.advance(0.1);
    expect(loop.tick).toBeLessThanOrEqual(15);
    const { owed, second } = loop.kernel;
    expect(loop.time + owed / second + loop.lostSeconds).toBeCloseTo(10.1, 9);
    // The next frame is as any other.
    const { tick } = loop;
    loop.advance(0.1);
    expect(loop.tick - tick).toBe(6);
  });

  test("in a frame that was clamped: the clamped time is lost", () => {
    const { loop, fail } = fallible({ rate: 60 });
    timeScale(loop).set(0.5);
    fail(5);
    expect([loop.tick, loop.lostSeconds]).toEqual([0, 2.375]);
    loop.advance(0);
    expect([loop.tick, loop.kernel.owed / loop.kernel.step]).toEqual([7, 0.5]);
  });

  test("in a frame that pays debt back keeps the sum of debt and owed time", () => {
    const { loop, fail } = fallible({ rate: 60, maxFrameTime: 0.1 });
    const debt = catchUp(loop, 1);
    const sum = () => loop.time + loop.kernel.owed / loop.kernel.second + debt.debt + loop.lostSeconds;
    loop.advance(1.11);
    fail(1 / 60);
    expect(sum()).toBeCloseTo(1.11 + 1 / 60, 12);
    for (let i = 0; i < 20; i++) loop.advance(1 / 60);
    expect([debt.debt, sum()]).toEqual([0, expect.closeTo(1.11 + 21 / 60, 12)]);
  });

  test("after a pause still waits", () => {
    const { loop, fail } = fallible({ rate: 10 });
    fail(0.15);
    loop.pause();
    loop.advance(1);
    expect([loop.tick, loop.alpha]).toEqual([0, 1]);
    loop.resume();
    loop.advance(0.05);
    expect(loop.tick).toBeGreaterThanOrEqual(1);
  });

  test("does not let the shown time run backwards", () => {
    const shown: number[] = [];
    const { loop, fail } = fallible({ rate: 10, render: ({ shownTime }) => void shown.push(shownTime) });
    loop.advance(0.1);
    loop.advance(0.09);
    fail(0.02);
    shown.push(loop.frame.shownTime);
    loop.advance(0);
    expect(shown).toEqual([0, 0.09, 0.1, expect.closeTo(0.11, 12)]);
  });

  test("with another stepping: its time is saved up, and no step is repeated", () => {
    const saved = fallible({ rate: 100, stepping: variable({ min: 0.01, max: 0.01 }) });
    saved.loop.advance(0.009);
    saved.fail(0.002);
    saved.loop.advance(0.002);
    expect(saved.loop.tick).toBe(1);

    const dts: number[] = [];
    const { loop, fail } = fallible({
      rate: 60,
      stepping: semiFixed(),
      step: ({ dt }) => void dts.push(dt),
    });
    loop.advance(0.04);
    const { time } = loop;
    fail(0.04);
    expect([loop.time, loop.alpha, loop.frame.shownTime]).toEqual([time, 1, time]);
    dts.length = 0;
    loop.runSteps(3);
    expect(dts).toEqual([1 / 60, 1 / 60, 1 / 60]);
    loop.advance(0);
    expect(loop.time).toBeCloseTo(0.08 + 3 / 60, 8);
  });
});

describe("an error in a listener", () => {
  test("of reset leaves the loop reset", () => {
    for (const run of [(loop: Loop) => loop.advance(0.03), (loop: Loop) => loop.runSteps(2)]) {
      let isBad = false;
      const loop: Loop = new Loop({ rate: 100, render: () => void (isBad && loop.reset()) });
      const figures = measure(loop);
      loop.advance(0.0575);
      loop.on("reset", () => {
        throw new Error("mine");
      });
      isBad = true;
      expect(() => run(loop)).toThrow("mine");
      expect([loop.tick, loop.kernel.owed, figures.frames, figures.effectiveSpeed]).toEqual([0, 0, 0, 1]);
    }
  });

  test("of start or reset leaves a loop that can be started", () => {
    const driver = manualDriver();
    const loop: Loop = new Loop({
      rate: 60,
      step() {
        loop.reset();
        throw new Error("first");
      },
    });
    const off = loop.on("reset", () => {
      throw new Error("second");
    });
    loop.start(driver);
    expect(() => driver.wait(0.1)).toThrow("first");
    expect([loop.running, loop.tick]).toEqual([false, 0]);
    off();
    const offStart = loop.on("start", () => {
      throw new Error("third");
    });
    expect(() => loop.start()).toThrow("third");
    expect(loop.running).toBe(false);
    expect(() => driver.wait(0.1)).toThrow("no loop is running");
    offStart();
    loop.start();
    expect(loop.running).toBe(true);
  });

  test("of stop does not hide the first error", () => {
    const loop = manualLoop({
      rate: 60,
      step: () => {
        throw new Error("first");
      },
    });
    loop.on("stop", () => {
      throw new Error("second");
    });
    expect(() => loop.advance(0.1)).toThrow("first");
    expect(loop.running).toBe(false);
  });

  test("of pause leaves the loop paused", () => {
    const loop = new Loop({ rate: 60 });
    loop.on("pause", () => {
      throw new Error("mine");
    });
    expect(() => loop.pause()).toThrow("mine");
    loop.advance(0.1);
    expect([loop.paused, loop.tick]).toEqual([true, 0]);
  });
});
