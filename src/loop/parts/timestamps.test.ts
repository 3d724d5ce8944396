import { describe, expect, test } from "vitest";
import { manualDisplay, manualDriver, manualLoop, type ManualTime } from "../../testing/index.js";
import {
  catchUp,
  changeRate,
  Loop,
  ramp,
  slowMotion,
  speedOf,
  stepsLeft,
  timeScale,
  timestampOf,
  type Driver,
  type LoopOptions,
} from "../index.js";
import { onePerFrame, variable } from "../stepping.js";

/** Milliseconds by which sums may be off. */
const ROUNDING = 1e-6;

/** A loop after two seconds on a display. */
function onDisplay<D extends Driver & ManualTime>(driver: D, hertz: number, options: LoopOptions) {
  const loop = new Loop(options);
  loop.start(driver);
  driver.display(hertz, 2);
  return loop as Loop & { readonly driver: D };
}

/** Runs frames until shown time reaches `seconds`. Returns the timestamps of that frame and of the one before. */
function reach(loop: Loop & { readonly driver: ManualTime }, hertz: number, seconds: number) {
  for (let i = 0; i < 1e4; i++) {
    const { timestamp } = loop.frame;
    loop.driver.wait(1 / hertz);
    if (loop.frame.shownTime >= seconds - 1e-9) return [timestamp, loop.frame.timestamp] as const;
  }
  throw new Error("This time is never shown.");
}

/** Events that change how fast time passes. */
const EVENTS: [name: string, act: (loop: Loop) => void][] = [
  ["nothing", () => {}],
  ["slow motion", (loop) => timeScale(loop).set(0.3)],
  ["fast forward", (loop) => timeScale(loop).set(2.5)],
  ["a ramp", (loop) => timeScale(loop).set(ramp(0.2, 0.5, "easeIn"))],
  ["a hit-stop", (loop) => timeScale(loop).hitStop(0.123)],
  ["another pace", (loop) => void (timeScale(loop).pace = 0.97)],
  [
    "a hit-stop in slow motion",
    (loop) => {
      timeScale(loop).set(slowMotion(0.5, 0.4, { easeIn: 0.1, easeOut: 0.2 }));
      timeScale(loop).hitStop(0.05);
    },
  ],
  ["another rate", (loop) => changeRate(loop, 48)],
];

describe.each([60, 144, 59.94])(
  "at %d Hz, the frame at its timestamp is the first to show a tick",
  (hertz) => {
    test.each([60, 30, 50, 120, 20])("of %d per second, on a display", (rate) => {
      const loop = onDisplay(manualDisplay({}, 1000), hertz, { rate });
      expect(loop.driver.info.locked).toBe(true);
      for (let i = 0; i < rate; i++) {
        const tick = loop.tick + 1 + (i % 7);
        const at = timestampOf(loop, tick);
        // Steps follow refreshes if both are nearly equal.
        const error = hertz === 59.94 ? 0.005 * (at - loop.frame.timestamp) : 0;
        const [before, shown] = reach(loop, hertz, tick / rate);
        expect(at).toBeGreaterThan(before - error - ROUNDING);
        expect(at).toBeLessThan(shown + error + ROUNDING);
      }
    });

    test.each(EVENTS)("with a manual driver, after %s", (_, act) => {
      for (const rate of [60, 30, 50, 120]) {
        const loop = onDisplay(manualDriver(1000), hertz, { rate });
        act(loop);
        const seconds = loop.time + 20 * loop.dt;
        const at = timestampOf(loop, loop.tick + 20);
        const [before, shown] = reach(loop, hertz, seconds);
        expect(at).toBeGreaterThan(before - ROUNDING);
        expect(at).toBeLessThan(shown + ROUNDING);
      }
    });

    // What the display lends changes with the speed, too slowly to be seen.
    test.each(EVENTS)("or its neighbour, on a display, after %s", (_, act) => {
      for (const rate of [60, 30, 50, 120]) {
        const loop = onDisplay(manualDisplay({}, 1000), hertz, { rate });
        act(loop);
        const seconds = loop.time + 20 * loop.dt;
        const at = timestampOf(loop, loop.tick + 20);
        const [before, shown] = reach(loop, hertz, seconds);
        expect(at).toBeGreaterThan(before - 1e3 / hertz);
        expect(at).toBeLessThan(shown + 1e3 / hertz);
      }
    });

    test("inside a step as in its frame, on a display", () => {
      const at: number[] = [];
      const ask = () => void at.push(timestampOf(loop, 1000));
      const loop: Loop = new Loop({ rate: 120, step: ask, render: ask });
      const screen = manualDisplay();
      loop.start(screen);
      screen.wait(0);
      for (let i = 0; i < 300; i++) {
        at.length = 0;
        screen.wait(1 / hertz);
        for (const time of at) expect(time).toBeCloseTo(at[0]!, 6);
      }
    });
  },
);

describe("timestampOf", () => {
  test("returns when shown time reaches a tick", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([1000, 1050]);
    // Shown: 1.5 steps, 30 ms; tick 10 is 200 ms.
    expect(loop.frame.shownTime).toBeCloseTo(0.03, 12);
    expect(timestampOf(loop, 10)).toBeCloseTo(1050 + 170, 9);
    expect(timestampOf(loop, 0)).toBeCloseTo(1020, 9);
    timeScale(loop).set(0.5);
    expect(timestampOf(loop, 10)).toBeCloseTo(1050 + 340, 9);
    timeScale(loop).set(0);
    expect(timestampOf(loop, 10)).toBe(Infinity);
    timeScale(loop).set(1);
    loop.pause();
    expect(timestampOf(loop, 10)).toBe(Infinity);
    loop.driver.wait(1);
    loop.resume();
    expect(timestampOf(loop, 10)).toBeCloseTo(2050 + 170, 9);
  });

  test("rejects what is not a tick", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.wait(0.1);
    for (const tick of [-1, 0.5, NaN, Infinity, "1"])
      expect(() => timestampOf(loop, tick as number)).toThrow(
        /^timestampOf: tick must be a whole number, 0 or more, got .*\. Try 5\.$/,
      );
  });

  test("is right after lost time, and during a ramp", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 5000]);
    timeScale(loop).set(ramp(0.25, 1));
    const at = timestampOf(loop, 30);
    loop.driver.play([(5000 + at) / 2, at]);
    expect(loop.frame.shownTime).toBeCloseTo(0.5, 6);
  });

  test("returns the same inside a step as before and after its frame, during a ramp", () => {
    const at: number[] = [];
    const loop: ReturnType<typeof manualLoop> = manualLoop({
      rate: 50,
      step: () => void at.push(timestampOf(loop, 100)),
    });
    loop.driver.play([1000, 1100]);
    timeScale(loop).set(ramp(0.1, 0.5));
    at.length = 0;
    const before = timestampOf(loop, 100);
    loop.driver.wait(0.1);
    for (const time of [...at, timestampOf(loop, 100)]) expect(time).toBeCloseTo(before, 6);
  });

  test("returns the same inside a step as when drawing, in a frame that pays debt back", () => {
    const at: number[] = [];
    const ask = () => void at.push(Math.round(timestampOf(loop, 100) * 1e6));
    const loop: Loop = new Loop({ rate: 100, maxFrameTime: 0.1, step: ask, render: ask });
    catchUp(loop, 1);
    loop.advance(0.5);
    at.length = 0;
    loop.advance(0.02);
    expect(at.length).toBeGreaterThan(3);
    expect(new Set(at).size).toBe(1);
  });

  test("is right after debt was paid back", () => {
    const loop = manualLoop({ rate: 100, maxFrameTime: 0.1 });
    const part = catchUp(loop, 1);
    loop.driver.play([0, 500]);
    loop.driver.display(60, 1);
    expect([part.debt, loop.lostSeconds]).toEqual([0, 0]);
    const goal = loop.tick + 8;
    loop.driver.play([timestampOf(loop, goal)]);
    expect(loop.frame.shownTime).toBeCloseTo(goal / 100, 9);
  });

  test("in a frame that runs out of steps, does not count those that it drops", () => {
    const at: number[] = [];
    const ask = () => void at.push(timestampOf(loop, 10));
    const loop: ReturnType<typeof manualLoop> = manualLoop({ rate: 50, maxSteps: 2, step: ask, render: ask });
    loop.driver.play([1000]);
    at.length = 0;
    loop.driver.play([1110]);
    // Half a step is left after two; state 10 is shown 8.5 steps later.
    expect(at).toEqual([1280, 1280, 1280]);
  });

  test("counts from the driver's current time before its first frame", () => {
    const loop = new Loop({ rate: 50 });
    loop.start(manualDriver(5000));
    expect(timestampOf(loop, 10)).toBe(5220);
    loop.stop();
    // Another driver has another clock.
    loop.start(manualDriver(100));
    expect(timestampOf(loop, 10)).toBe(320);
  });

  test("counts from the driver's current time after a reset", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([5000, 5100]);
    loop.reset();
    expect(timestampOf(loop, 10)).toBe(5320);
    loop.driver.spend(1);
    loop.reset();
    expect(timestampOf(loop, 10)).toBe(6320);
  });

  test("in a frame that resets the loop, too", () => {
    const at: number[] = [];
    const loop: ReturnType<typeof manualLoop> = manualLoop({
      rate: 50,
      step: ({ tick }) => void (tick === 3 && loop.reset()),
      render: () => void at.push(timestampOf(loop, 10)),
    });
    loop.driver.play([5000, 5040, 5080]);
    expect(at).toEqual([5220, 5220, 5300]);
  });

  test("after a clock that steps back, counts from the time that was simulated", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([5000, 5100]);
    expect(timestampOf(loop, 10)).toBe(5220);
    loop.driver.play([5090]);
    expect(timestampOf(loop, 10)).toBe(5220);
    loop.driver.play([5110]);
    expect(timestampOf(loop, 10)).toBe(5220);
  });

  test("with a stepping, the newest state is shown", () => {
    for (const stepping of [variable(), onePerFrame()]) {
      const loop = new Loop({ rate: 60, stepping });
      for (let i = 0; i < 60; i++) loop.advance(1 / 60);
      expect(timestampOf(loop, 60)).toBeCloseTo(1000, 6);
      expect(timestampOf(loop, 90)).toBeCloseTo(1500, 6);
    }
    const loop = new Loop({ rate: 60, stepping: variable() });
    for (let i = 0; i < 30; i++) loop.advance(1 / 30);
    expect(timestampOf(loop, 60)).toBeCloseTo(1000, 6);
  });

  test("accepts a timestamp of 0", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([-100, -50, 0]);
    expect(timestampOf(loop, 10)).toBeCloseTo(120, 9);
  });

  test("state 0 is shown before the first step", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([500, 505]);
    expect(timestampOf(loop, 0)).toBe(505);
  });

  test("without a driver, counts from the first advance", () => {
    const loop = new Loop({ rate: 50 });
    loop.advance(0.1);
    expect(timestampOf(loop, 5)).toBeCloseTo(120, 9);
  });

  test("inside a step, counts from the last frame", () => {
    const at: number[] = [];
    const loop: ReturnType<typeof manualLoop> = manualLoop({
      rate: 50,
      step: () => void at.push(timestampOf(loop, 100)),
    });
    loop.driver.play([0, 100]);
    expect(at).toEqual(Array.from({ length: 5 }, () => 2020));
  });

  test("a state that is shown when a hit-stop begins is not shown after it", () => {
    // The newest state on a display in step, and the one before with a driver in step.
    const screen = onDisplay(manualDisplay(), 60, { rate: 60 });
    expect(screen.alpha).toBe(1);
    const raw = onDisplay(manualDriver(), 60, { rate: 60 });
    for (const [loop, tick] of [
      [screen, screen.tick],
      [raw, Math.floor(raw.frame.shownTime * 60 + 1e-9)],
    ] as const) {
      timeScale(loop).hitStop(1);
      expect(timestampOf(loop, tick)).toBeLessThanOrEqual(loop.frame.timestamp);
      expect(timestampOf(loop, tick + 1)).toBeGreaterThan(loop.frame.timestamp + 1000);
    }
  });

  test("a hit-stop that begins inside a step comes before all later states", () => {
    const at: number[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick !== 100) return;
        timeScale(loop).hitStop(0.5);
        at.push(timestampOf(loop, 101), timestampOf(loop, 102));
      },
    });
    const screen = manualDisplay();
    loop.start(screen);
    screen.display(60, 101 / 60);
    expect(loop.tick).toBe(101);
    const { timestamp } = loop.frame;
    // This frame shows state 101.
    expect(loop.frame.shownTime).toBeCloseTo(101 / 60, 9);
    expect(at[0]).toBeCloseTo(timestamp, 6);
    expect(at[1]).toBeCloseTo(timestamp + 500 + 1000 / 60, 6);
    const [before, shown] = reach(loop as Loop & { readonly driver: ManualTime }, 60, 102 / 60);
    expect(at[1]).toBeGreaterThan(before - ROUNDING);
    expect(at[1]).toBeLessThan(shown + ROUNDING);
  });

  test("undoes the scaling of parts in the reverse order", () => {
    const loop = manualLoop({ rate: 50 });
    // The second part holds 0.1 s of what the first one passes on.
    let left = Math.round(0.1 * loop.kernel.second);
    loop.use({ scale: (time) => void (time.units *= 0.5), unscale: (seconds) => seconds / 0.5 });
    loop.use({
      scale(time) {
        const held = Math.min(left, time.units);
        left -= held;
        time.units -= held;
      },
      unscale: (seconds) => (seconds > 0 ? seconds + left / loop.kernel.second : seconds),
    });
    loop.driver.play([0]);
    const at = timestampOf(loop, 5);
    expect(at).toBeCloseTo(2 * (100 + 120), 6);
    loop.driver.play([200, at]);
    expect(loop.frame.shownTime).toBeCloseTo(0.1, 9);
  });
});

test("speedOf is the product of all scales, and 0 while nothing moves", () => {
  const loop = new Loop({ rate: 60 });
  expect(speedOf(loop)).toBe(1);
  timeScale(loop).set(0.5);
  timeScale(loop).pace = 1.5;
  loop.use({ frame() {}, speed: 2 });
  expect(speedOf(loop)).toBe(1.5);
  timeScale(loop).hitStop(1);
  expect(speedOf(loop)).toBe(0);
  loop.advance(0.2);
  loop.maxFrameTime = 10;
  loop.advance(1);
  expect(speedOf(loop)).toBe(1.5);
  loop.pause();
  expect(speedOf(loop)).toBe(0);
});

describe("stepsLeft and the frame's time", () => {
  /** Logs them in each step. */
  function watched(options: Partial<LoopOptions> = {}) {
    const told: [left: number, from: number, to: number][] = [];
    const look = () => {
      const { timestamp, realDelta } = loop.frame;
      told.push([stepsLeft(loop), timestamp - realDelta * 1e3, timestamp]);
    };
    const loop: ReturnType<typeof manualLoop> = manualLoop({ rate: 50, ...options, step: look });
    return { loop, told, look };
  }

  test("a step sees the steps still due, including itself, and the frame's time", () => {
    const { loop, told } = watched();
    loop.driver.play([1000, 1070, 1080, 1100]);
    expect(told).toEqual([
      [3, 1000, 1070],
      [2, 1000, 1070],
      [1, 1000, 1070],
      // 10 ms are left over.
      [1, 1070, 1080],
      [1, 1080, 1100],
    ]);
  });

  test("a clamped stall is one frame with its real time", () => {
    const { loop, told } = watched({ maxFrameTime: 0.1 });
    loop.driver.play([1000, 6000]);
    expect(told.map(([left]) => left)).toEqual([5, 4, 3, 2, 1]);
    expect(told[0]).toEqual([5, 1000, 6000]);
  });

  test("no more are left than maxSteps allows", () => {
    const { loop, told } = watched({ maxSteps: 2 });
    loop.driver.play([1000, 1100]);
    expect(told.map(([left]) => left)).toEqual([2, 1]);
  });

  test("with catchUp, debt is due with the rest", () => {
    const { loop, told } = watched({ maxSteps: 3 });
    catchUp(loop, 1);
    loop.driver.play([1000, 1100, 1120]);
    expect(told.map(([left]) => left)).toEqual([3, 2, 1, 3, 2, 1]);
  });

  test("a time scale changes the steps that are due, but not the frame's time", () => {
    const { loop, told } = watched();
    timeScale(loop).set(2);
    loop.driver.play([1000, 1020]);
    expect(told).toEqual([
      [2, 1000, 1020],
      [1, 1000, 1020],
    ]);
  });

  test("is the same before a step", () => {
    const { loop, told, look } = watched();
    loop.on("beforeStep", look);
    loop.driver.play([1000, 1040]);
    expect(told).toEqual([
      [2, 1000, 1040],
      [2, 1000, 1040],
      [1, 1000, 1040],
      [1, 1000, 1040],
    ]);
  });
});
