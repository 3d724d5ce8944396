import { describe, expect, test } from "vitest";
import { noise } from "../../scenes/display.js";
import { manualDriver } from "../testing/index.js";
import { Loop } from "./loop.js";
import type { LoopOptions } from "./options.js";
import { variable } from "./stepping.js";

type Settings = Partial<Omit<LoopOptions, "step">> & {
  /** Length of the first frame, in seconds. */
  first?: number;
  onStep?(loop: Loop, tick: number): void;
};

/** Runs the first frame of a loop whose steps cost the given seconds, one after the other, and later ones nothing. */
function slowLoop(costs: readonly number[], { first = 0.01, onStep, ...options }: Settings = {}) {
  const driver = manualDriver();
  const loop = new Loop({
    rate: 100,
    stepBudget: 1,
    rereadClock: true,
    ...options,
    driver,
    step({ tick }) {
      onStep?.(loop, tick);
      driver.spend(costs[tick] ?? 0);
    },
  });
  loop.start();
  driver.wait(first);
  return { loop, driver };
}

test("after a slow step, the steps that became due run in the same frame, and not again in the next", () => {
  const { loop, driver } = slowLoop([0.035]);
  // One step was due. It took 35 ms, in which three more became due.
  expect([loop.tick, loop.alpha, driver.time]).toEqual([4, 0, 45]);
  driver.play([45]);
  expect([loop.tick, loop.alpha, loop.overstep]).toEqual([4, 0.5, 0.005]);
  driver.play([50]);
  expect([loop.tick, loop.alpha]).toEqual([5, 0]);
  expect(loop.stats.lostSeconds).toBe(0);
  expect(loop.stats.effectiveSpeed).toBeCloseTo(1, 12);
});

test("without the option, they run in the next frame", () => {
  const { loop, driver } = slowLoop([0.035], { rereadClock: false });
  expect(loop.tick).toBe(1);
  driver.play([45]);
  expect(loop.tick).toBe(4);
});

test("steps that take less than they simulate change nothing", () => {
  const { loop } = slowLoop([0.0099]);
  expect(loop.tick).toBe(1);
});

test("the time that the additional steps take counts, too", () => {
  const { loop } = slowLoop([0.02, 0.006, 0.006]);
  expect(loop.tick).toBe(4);
});

test.each<[string, Settings, number]>([
  ["no limit", {}, 5],
  ["stepBudget", { stepBudget: 0.03 }, 1],
  ["maxSteps", { maxSteps: 3 }, 3],
  ["maxFrameTime", { maxFrameTime: 0.03 }, 3],
  ["timeScale", { timeScale: 0.5, first: 0.02 }, 3],
])("a step of 40 ms with %s", (_, settings, ticks) => {
  const { loop } = slowLoop([0.04], settings);
  expect(loop.tick).toBe(ticks);
  expect(loop.stats.lostSeconds).toBe(0);
});

test("steps that are always too slow fill the budget, not more", () => {
  const { loop, driver } = slowLoop(Array(100).fill(0.02), { stepBudget: 0.1 });
  expect([loop.tick, driver.time]).toEqual([5, 110]);
});

test("frames that come before the borrowed time has passed show the same picture", () => {
  const { loop, driver } = slowLoop([0.035]);
  const { shownTime } = loop;
  for (const timestamp of [15, 25, 39]) {
    driver.play([timestamp]);
    expect([loop.tick, loop.shownTime]).toEqual([4, shownTime]);
    expect(loop.timestampOf(10)).toBeCloseTo(110, 9);
  }
  driver.play([41]);
  expect([loop.tick, loop.alpha]).toEqual([4, 0.1]);
});

test("timestampOf knows of borrowed steps", () => {
  const seen: number[] = [];
  const { loop, driver } = slowLoop([0.035], { onStep: (its) => void seen.push(its.timestampOf(20)) });
  seen.push(loop.timestampOf(20));
  driver.play([45]);
  seen.push(loop.timestampOf(20));
  driver.play([65]);
  seen.push(loop.timestampOf(20));
  // State 20 is the second of two blended states, so it is shown one step after its time.
  for (const timestamp of seen) expect(timestamp).toBeCloseTo(210, 9);
  expect(seen.length).toBe(9);
});

describe("on a display of 60 Hz", () => {
  /** Runs six seconds in which the step at four seconds takes `cost`. Returns the steps of the frames from there on. */
  const stepsAfter = (cost: number, rate: number, refresh = 60, usual = 0, drawing = 0) => {
    const driver = manualDriver();
    const steps: number[] = [];
    const loop = new Loop({
      rate,
      stepBudget: 1,
      rereadClock: true,
      pacing: "display",
      driver,
      step: ({ time }) => driver.spend(Math.abs(time - 4) < 1e-9 ? cost : usual),
      render(info) {
        driver.spend(drawing);
        if (loop.time > 4) steps.push(info.steps);
        if (info.tick > 2 * rate && refresh === 60) expect(info.alpha).toBe(1);
      },
    });
    loop.start();
    driver.display(refresh, 6);
    expect(loop.stats.lostSeconds).toBe(0);
    return steps.slice(0, 4);
  };

  test("only missed refreshes count", () => {
    expect(stepsAfter(0.016, 60)).toEqual([1, 1, 1, 1]);
    expect(stepsAfter(0.02, 60)).toEqual([2, 1, 1, 1]);
    expect(stepsAfter(0.04, 60)).toEqual([3, 1, 1, 1]);
    // At 240 steps per second, 16 ms are more than three steps, but the frame is shown on time.
    expect(stepsAfter(0.016, 240)).toEqual([4, 4, 4, 4]);
    expect(stepsAfter(0.017, 240)).toEqual([8, 4, 4, 4]);
  });

  test("steps run only if they do not delay the frame to a later refresh", () => {
    // After 40 ms, one step of 4 ms and the drawing fit before the refresh at 50 ms, two do not.
    expect(stepsAfter(0.04, 60, 60, 0.004, 0.004)).toEqual([2, 2, 1, 1]);
    expect(stepsAfter(0.04, 60, 60, 0.004, 0.001)).toEqual([3, 1, 1, 1]);
    expect(stepsAfter(0.04, 60, 60, 0.004, 0.007)).toEqual([1, 3, 2, 1]);
  });

  test.each([59.94, 60.06])("at %f Hz, a refresh still counts as a step", (refresh) => {
    expect(stepsAfter(0.04, 60, refresh)).toEqual([3, 1, 1, 1]);
  });
});

describe("borrowed steps", () => {
  test("a pause ends them: its time includes theirs", () => {
    const { loop, driver } = slowLoop([0.035]);
    loop.pause();
    driver.play([45, 100]);
    loop.resume();
    driver.play([120]);
    expect(loop.tick).toBe(6);
  });

  test("so does a restart of the driver, whose first frame only sets the clock", () => {
    const { loop, driver } = slowLoop([0.035]);
    loop.stop();
    loop.start();
    driver.play([500, 520]);
    expect(loop.tick).toBe(6);
  });

  test("reset clears them", () => {
    const { loop, driver } = slowLoop([0.035]);
    loop.configure({ rereadClock: false });
    loop.reset();
    driver.play([100, 120]);
    expect(loop.tick).toBe(2);
  });

  test("the first of them that pauses the loop is the last", () => {
    const { loop, driver } = slowLoop([0.035], { onStep: (its, tick) => void (tick === 1 && its.pause()) });
    expect(loop.tick).toBe(2);
    loop.resume();
    driver.play([45, 65]);
    expect(loop.tick).toBe(2 + 4);
  });

  test("one that throws does not count", () => {
    let isBroken = true;
    const driver = manualDriver();
    const loop = new Loop({
      rate: 100,
      stepBudget: 1,
      rereadClock: true,
      driver,
      step({ tick }) {
        if (tick === 0) driver.spend(0.035);
        if (tick === 2 && isBroken) throw new Error("broken");
      },
    });
    loop.start();
    expect(() => driver.wait(0.01)).toThrow("broken");
    expect([loop.tick, loop.running]).toEqual([2, false]);
    isBroken = false;
    loop.start();
    driver.play([100, 120]);
    expect(loop.tick).toBe(4);
  });
});

test("no time is invented or lost, and the picture never runs backwards", () => {
  for (let seed = 1; seed <= 40; seed++)
    for (const pacing of ["raw", "display"] as const) {
      const random = noise(seed);
      const driver = manualDriver();
      let isQuiet = false;
      let shown = 0;
      let real = 0;
      const loop = new Loop({
        rate: [60, 100, 240][seed % 3]!,
        stepBudget: 0.02 + 0.2 * random(),
        rereadClock: true,
        overload: seed % 2 ? "drop" : { catchUp: 1 },
        pacing,
        driver,
        step: () => driver.spend(isQuiet ? 0 : random() < 0.05 ? 0.08 * random() : 0.0005),
        render({ shownTime, realDelta }) {
          expect(shownTime).toBeGreaterThanOrEqual(shown);
          shown = shownTime;
          real += realDelta;
        },
      });
      loop.start();
      driver.display(60, 20);
      isQuiet = true;
      driver.display(60, 1);
      const { lostSeconds, frameTime, frames } = loop.stats;
      // Nothing is borrowed after a quiet second.
      const accounted = loop.time + loop.overstep + loop.debt + lostSeconds - loop.lead;
      expect(accounted).toBeCloseTo(real, 6);
      expect(frameTime * frames).toBeCloseTo(real, 6);
    }
});

test("rejects bad options", () => {
  expect(() => new Loop({ rate: 60, rereadClock: true })).toThrow(
    "Loop: rereadClock must be false without a stepBudget, got true. Try { rereadClock: true, stepBudget: 0.05 }.",
  );
  expect(() => new Loop({ rate: 60, rereadClock: true, stepBudget: 0.1, stepping: variable() })).toThrow(
    "Loop: rereadClock must be false if stepping is set, got true.",
  );
  expect(() => new Loop({ rate: 60, rereadClock: "yes" as unknown as boolean })).toThrow(
    "Loop: rereadClock must be",
  );
  const loop = new Loop({ rate: 60, rereadClock: true, stepBudget: 0.1 });
  expect(() => loop.configure({ stepBudget: Infinity })).toThrow("Loop.configure: rereadClock must be false");
  loop.configure({ stepBudget: Infinity, rereadClock: false });
});
