// A change of the rate while the loop runs. test/property/change-rate.test.ts holds it against a model.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDisplay, manualDriver } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { onePerFrame } from "../stepping.js";
import { catchUp } from "./catch-up.js";
import { changeRate } from "./change-rate.js";
import { every } from "./every.js";
import { measure } from "./measure.js";
import { timeScale } from "./time-scale.js";
import { timestampOf } from "./timestamps.js";

test("time goes on where it was, in steps of the new length", () => {
  const steps: string[] = [];
  const loop = new Loop({
    rate: 60,
    step: ({ tick, dt, time }) => void steps.push(`${tick} ${dt.toFixed(4)} ${time.toFixed(4)}`),
  });
  const figures = measure(loop);
  for (let i = 0; i < 90; i++) loop.advance(1 / 60);
  changeRate(loop, 20);
  expect([loop.tick, loop.time, loop.rate, loop.dt]).toEqual([90, 1.5, [20, 1], 0.05]);
  for (let i = 0; i < 60; i++) loop.advance(1 / 60);
  expect([loop.tick, loop.time]).toEqual([110, 2.5]);
  expect(steps.slice(88, 92)).toEqual([
    "88 0.0167 1.4667",
    "89 0.0167 1.4833",
    "90 0.0500 1.5000",
    "91 0.0500 1.5500",
  ]);
  changeRate(loop, [60000, 1001]);
  loop.advance(0.2);
  expect(loop.time).toBe((2.5 * 60000 + 11 * 1001) / 60000);
  expect(figures.effectiveSpeed).toBeCloseTo(1, 12);
  loop.reset();
  expect([loop.tick, loop.time, loop.rate, loop.frame.shownTime]).toEqual([0, 0, [60000, 1001], 0]);
});

test("a million steps at changing rates end at the exact time", () => {
  const loop = new Loop({ rate: 60 });
  const rates = [60, 144, 30, 75, 20, 240];
  for (let second = 0; second < 10_000; second++) {
    changeRate(loop, rates[second % rates.length]!);
    for (let i = 0; i < 10; i++) loop.advance(0.1);
  }
  expect([loop.time + loop.kernel.owed / loop.kernel.second, loop.lostSeconds]).toEqual([
    expect.closeTo(10_000, 6),
    expect.closeTo(0, 9),
  ]);
});

describe("the picture does not jump", () => {
  test("alpha stays, and the difference of less than a step is reported", () => {
    const told: unknown[] = [];
    const loop = new Loop({ rate: 10 });
    loop.on("rate", (info) => void told.push({ ...info }));
    loop.advance(0.15);
    const { alpha, shownTime } = loop.frame;
    changeRate(loop, 40);
    expect([loop.kernel.alpha, loop.kernel.shownTime]).toEqual([alpha, shownTime]);
    expect(told).toEqual([{ rate: [40, 1], lost: expect.closeTo(0.05 - 0.0125, 12), units: 4 }]);
    expect(loop.lostSeconds).toBeCloseTo(0.0375, 12);
    loop.advance(0.0125);
    // The step of the old length is shown to its end.
    expect([loop.tick, loop.frame.shownTime]).toEqual([2, 0.1]);
    changeRate(loop, 10);
    loop.advance(0.025);
    changeRate(loop, 40);
    // Time may also be gained.
    changeRate(loop, 10);
    expect(loop.time + loop.kernel.owed / loop.kernel.second + loop.lostSeconds).toBeCloseTo(0.1875, 12);
  });

  test.each([
    [60, 30],
    [30, 60],
    [60, 20],
    [20, 60],
    [60, 144],
    [10, 120],
  ])(
    "from %d to %d steps per second, it never runs back, and all frames but a few move alike",
    (from, to) => {
      for (const driver of [manualDriver(), manualDisplay()])
        for (const offset of [0, 0.001, 0.005, 0.012]) {
          const moves: number[] = [];
          let before = 0;
          const loop = new Loop({
            rate: from,
            render({ shownTime }) {
              moves.push((shownTime - before) * 60);
              before = shownTime;
            },
          });
          loop.start(driver);
          driver.display(60, 2);
          driver.wait(offset);
          changeRate(loop, to);
          moves.length = 0;
          driver.display(60, 2);
          loop.stop();
          expect(Math.min(...moves)).toBeGreaterThanOrEqual(0);
          // The picture loses or gains at most a step.
          const extra = moves.reduce((sum, move) => sum + move - 1, 0) / 60;
          expect(Math.abs(extra)).toBeLessThan(Math.max(1 / from, 1 / to) + 1e-3);
          // Steps and refreshes are aligned too slowly to be seen.
          for (const move of moves.slice(60)) expect(Math.abs(move - 1)).toBeLessThan(0.0051);
        }
    },
  );
});

describe("inside a callback", () => {
  test("the rate changes once the frame's steps, or its drawing, have ended", () => {
    const rates: number[] = [];
    const loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick === 1) changeRate(loop, 30);
      },
      render() {
        rates.push(loop.rate[0]);
        if (rates.length === 4) changeRate(loop, 120);
        rates.push(loop.rate[0]);
      },
    });
    loop.on("rate", ({ rate }) => void rates.push(-rate[0]));
    loop.advance(0.05);
    expect([loop.tick, rates]).toEqual([3, [-30, 30, 30]]);
    loop.advance(0.1);
    loop.advance(0.1);
    expect(rates).toEqual([-30, 30, 30, 30, 30, -120, 120, 120]);
    expect([loop.tick, loop.time]).toEqual([18, 0.25]);
  });

  test("of a forced step, too", () => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 1 && changeRate(loop, 30)) });
    loop.runSteps(3);
    expect([loop.tick, loop.time, loop.rate]).toEqual([3, 0.05, [30, 1]]);
  });

  test("the last of several counts", () => {
    const loop: Loop = new Loop({
      rate: 60,
      step: ({ tick }) => void (tick === 1 && (changeRate(loop, 30), changeRate(loop, 20))),
    });
    loop.advance(0.1);
    expect(loop.rate).toEqual([20, 1]);
  });
});

test("the same rate again changes nothing", () => {
  const loop = new Loop({ rate: 60 });
  let events = 0;
  loop.on("rate", () => void events++);
  loop.advance(0.1);
  changeRate(loop, [120, 2]);
  expect(events).toBe(0);
});

describe("parts follow", () => {
  test("debt, its limit and lost time stay the same in seconds", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 0.1 });
    const debt = catchUp(loop, 0.5);
    loop.advance(3);
    expect([debt.debt, loop.lostSeconds]).toEqual([0.5, 2.4]);
    changeRate(loop, 50);
    expect([debt.debt, loop.lostSeconds]).toEqual([0.5, 2.4]);
    for (let i = 0; i < 7; i++) loop.advance(1 / 60);
    expect(debt.debt).toBe(0);
    expect(loop.time + loop.kernel.owed / loop.kernel.second).toBeCloseTo(0.6 + 7 / 60, 9);
    loop.advance(3);
    expect([debt.debt, loop.lostSeconds]).toEqual([0.5, expect.closeTo(4.8, 12)]);
  });

  test("a hit-stop keeps its length", () => {
    const loop = new Loop({ rate: 60 });
    timeScale(loop).hitStop(0.2);
    loop.advance(0.05);
    changeRate(loop, 100);
    expect(timeScale(loop).stopped).toBeCloseTo(0.15, 12);
    loop.advance(0.16);
    expect(loop.tick).toBe(1);
  });

  test("beats keep their phase", () => {
    const heard: string[] = [];
    const loop = new Loop({ rate: 60, step: ({ time }) => void heard.push(time.toFixed(3)) });
    const beat = every(loop, 10, ({ tick }) => void heard.push(`beat ${tick}`));
    loop.runSteps(8);
    changeRate(loop, 20);
    loop.runSteps(3);
    expect(heard.slice(-8)).toEqual([
      "0.083",
      "beat 1",
      "0.100",
      "0.117",
      "0.133",
      "0.183",
      "beat 2",
      "0.233",
    ]);
    // A beat that is added later is in phase, too.
    const late = every(loop, 10, () => {});
    expect([beat.tick, late.tick]).toEqual([3, 3]);
  });

  test.each([
    [60, 20],
    [20, 60],
    [60, 144],
  ])("objects that a beat moves go on evenly from %d to %d steps per second", (from, to) => {
    const loop = new Loop({ rate: from });
    const beat = every(loop, 4, () => {});
    const alphas: number[] = [];
    for (let frame = 0; frame < 240; frame++) {
      if (frame === 130) changeRate(loop, to);
      loop.advance(1 / 240);
      alphas.push(beat.alpha);
    }
    const moves = alphas.slice(121).map((alpha, i) => alpha - alphas[i + 120]!);
    // A beat takes 60 frames; it starts over once or twice in this time.
    expect(moves.filter((move) => move < 0).length).toBeLessThanOrEqual(2);
    expect(moves.filter((move) => move > 0.1)).toHaveLength(0);
  });

  test("timestampOf counts with the new rate", () => {
    const driver = manualDriver();
    const loop = new Loop({ rate: 50 });
    loop.start(driver);
    driver.play([1000, 1100]);
    expect([loop.tick, timestampOf(loop, 10)]).toEqual([5, 1220]);
    changeRate(loop, 10);
    // State 6 is at 0.2 s, and shown a step of 0.1 s later.
    expect(timestampOf(loop, 6)).toBeCloseTo(1300, 9);
    driver.play([1150]);
    expect(timestampOf(loop, 6)).toBeCloseTo(1300, 9);
    driver.play([1210]);
    expect([loop.tick, timestampOf(loop, 6)]).toEqual([6, expect.closeTo(1300, 9)]);
  });

  test("the load is that of the current rate", () => {
    const driver = manualDriver();
    const loop = new Loop({ rate: 100, step: () => driver.spend(0.005) });
    const figures = measure(loop);
    loop.start(driver);
    driver.display(60, 1);
    expect(figures.load).toBeCloseTo(0.5, 6);
    changeRate(loop, 50);
    expect(figures.load).toBeCloseTo(0.25, 6);
  });

  test("the lead of a display keeps its part of a step, and returns to at most half of one", () => {
    const screen = manualDisplay();
    const loop = new Loop({ rate: 60 });
    loop.start(screen);
    screen.display(60.06, 7.5);
    const ahead = () => (loop.kernel.lead - loop.kernel.step) / loop.kernel.step;
    const before = ahead();
    changeRate(loop, 240);
    expect(ahead()).toBeCloseTo(before, 6);
    let [last, fastest] = [loop.kernel.lead, 0];
    for (let frame = 0; frame < 1200; frame++) {
      screen.display(60.06, 1 / 60.06);
      fastest = Math.max(fastest, (Math.abs(loop.kernel.lead - last) / loop.kernel.second) * 60.06);
      last = loop.kernel.lead;
    }
    expect(fastest).toBeLessThan(0.0061);
    expect(Math.abs(ahead())).toBeLessThanOrEqual(0.5001);
  });
});

describe("rejects a change", () => {
  test("with another stepping", () => {
    const loop = new Loop({ rate: 60, stepping: onePerFrame() });
    expect(() => changeRate(loop, 30)).toThrow(
      errorWith("unsupported", "changeRate: only fixed steps can change their rate. Create another loop."),
    );
  });

  test.each([0, -1, NaN, "60", null, undefined, {}, Math.E * 1e6])("to %o", (rate) => {
    const loop = new Loop({ rate: 60 });
    loop.advance(0.1);
    expect(() => changeRate(loop, rate as number)).toThrow(
      errorWith("bad-value", "changeRate: rate must be"),
    );
    expect(loop.rate).toEqual([60, 1]);
  });

  test("of something else than a loop", () => {
    expect(() => changeRate({} as never, 60)).toThrow(
      errorWith("bad-value", "changeRate: loop must be a Loop"),
    );
  });
});
