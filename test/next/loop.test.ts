import { describe, expect, test } from "vitest";
import {
  catchUp,
  changeRate,
  every,
  Loop,
  measure,
  onOverload,
  onePerFrame,
  semiFixed,
  slowMotion,
  speedOf,
  stepBudget,
  stepsLeft,
  timeScale,
  timer,
  variable,
} from "../../src/loop/next/index.js";

describe("advance", () => {
  test.each([30, 60, 120, 144])("(1 / %i) is one step at that rate, also with maxSteps: 1", (rate) => {
    const loop = new Loop({ rate, maxSteps: 1 });
    for (let i = 1; i <= 1000; i++) {
      loop.advance(i % 2 ? 1 / rate : loop.dt);
      expect([loop.tick, loop.lostSeconds]).toEqual([i, 0]);
    }
  });

  test("runs the steps that are due, then draws between the last two states", () => {
    const seen: unknown[] = [];
    const loop = new Loop({
      rate: 4,
      step: ({ tick, dt, time }) => void seen.push([tick, dt, time]),
      render: ({ alpha, tick, steps, shownTime, delta }) =>
        void seen.push({ alpha, tick, steps, shownTime, delta }),
      maxFrameTime: 1,
    });
    loop.advance(0.625);
    expect(seen).toEqual([
      [0, 0.25, 0],
      [1, 0.25, 0.25],
      { alpha: 0.5, tick: 2, steps: 2, shownTime: 0.375, delta: 0.625 },
    ]);
  });

  test("a 5 s stall drops what it cannot simulate and says exactly how much", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 0.25 });
    const told: unknown[] = [];
    onOverload(loop, (info) => void told.push({ ...info }));
    loop.advance(5);
    expect([loop.tick, loop.lostSeconds, loop.frame.alpha]).toEqual([15, 4.75, 0]);
    expect(told).toEqual([{ tick: 15, lost: 4.75, clamped: 4.75, skipped: 0 }]);
  });

  test("time that goes back, or stands still, is no time", () => {
    const loop = new Loop({ rate: 60 });
    for (const seconds of [-1, 0, -1e-9]) loop.advance(seconds);
    expect([loop.tick, loop.frame.delta, loop.frame.realDelta]).toEqual([0, 0, 0]);
    for (const seconds of [NaN, Infinity, 5e6, "1"])
      expect(() => loop.advance(seconds as number)).toThrow(/^Loop\.advance: seconds must be a number from/);
  });

  test("a frame of many units is taken in pieces", () => {
    const loop = new Loop({ rate: [60000, 1001], maxFrameTime: 3600 });
    timeScale(loop).set(1000);
    loop.advance(10);
    expect(loop.tick).toBe(Math.floor((10_000 * 60000) / 1001));
    expect(loop.lostSeconds).toBe(0);
  });

  test("is refused inside a callback", () => {
    const loop: Loop = new Loop({ rate: 60, step: () => loop.advance(1) });
    expect(() => loop.advance(0.1)).toThrow("Loop.advance: cannot be called from a callback (tick 0).");
  });
});

test("hooks are called in a fixed order, whatever the order of attachment", () => {
  const seen: string[] = [];
  const names = [
    "afterRender",
    "step",
    "afterStep",
    "beforeRender",
    "leaveStep",
    "enterStep",
    "render",
    "beforeStep",
  ] as const;
  const loop: Loop = new Loop({
    rate: 10,
    step: () => void seen.push(`step() ${loop.tick}`),
    render: () => void seen.push("render()"),
  });
  for (const name of names) loop.on(name, () => void seen.push(`${name} ${loop.tick}`));
  every(loop, 10, () => void seen.push("beat"));
  loop.advance(0.1);
  expect(seen).toEqual([
    "beforeStep 0",
    "enterStep 0",
    "beat",
    "step() 0",
    "step 0",
    "leaveStep 0",
    "afterStep 1",
    "beforeRender 1",
    "render()",
    "render 1",
    "afterRender 1",
  ]);
});

test("a step that throws stops the loop and stays owed", () => {
  let fails = true;
  const driver = { start() {}, stop() {}, now: () => 0 };
  const loop = new Loop({
    rate: 10,
    step({ tick }) {
      if (tick === 1 && fails) throw new Error("no");
    },
  });
  loop.start(driver);
  expect(() => loop.advance(0.25)).toThrow("no");
  expect([loop.tick, loop.running, loop.frame.alpha, loop.frame.shownTime]).toEqual([1, false, 1, 0.1]);
  fails = false;
  loop.start();
  loop.advance(0);
  expect([loop.tick, loop.running, loop.lostSeconds]).toEqual([2, true, 0]);
});

test("pause, stop and hit-stop in a step end the frame's steps; what is left of it was never given", () => {
  for (const end of [
    (loop: Loop) => loop.pause(),
    (loop: Loop) => loop.stop(),
    (loop: Loop) => timeScale(loop).hitStop(0.1),
  ]) {
    const loop: Loop = new Loop({ rate: 100, step: ({ tick }) => void (tick === 2 && end(loop)) });
    loop.advance(0.105);
    expect([loop.tick, loop.lostSeconds, loop.frame.alpha]).toEqual([3, 0, 0.5]);
  }
});

test("reset returns to tick 0, at once or after the steps of the frame", () => {
  const seen: unknown[] = [];
  const loop: Loop = new Loop({
    rate: 10,
    step: ({ tick }) => void (tick === 1 && loop.reset()),
    render: ({ tick, alpha, shownTime }) => void seen.push([tick, alpha, shownTime]),
    maxFrameTime: 1,
  });
  loop.on("reset", () => void seen.push("reset"));
  loop.advance(0.55);
  expect(seen).toEqual(["reset", [0, 0, 0]]);
  loop.runSteps(1);
  loop.reset();
  expect([loop.tick, loop.time]).toEqual([0, 0]);
});

describe("timeScale", () => {
  test("what was set before the start stays", () => {
    const loop = new Loop({ rate: 60 });
    timeScale(loop).set(slowMotion(0.5, 1));
    timeScale(loop).hitStop(0.1);
    loop.start({ start() {}, stop() {}, now: () => 0 });
    for (let i = 0; i < 6; i++) loop.advance(1 / 60);
    expect([loop.tick, speedOf(loop)]).toEqual([0, 0.5]);
    for (let i = 0; i < 60; i++) loop.advance(1 / 60);
    expect([loop.tick, speedOf(loop)]).toEqual([30, 1]);
  });

  test("never changes dt, and is exact", () => {
    const loop = new Loop({ rate: 60, step: ({ dt }) => expect(dt).toBe(1 / 60) });
    timeScale(loop).set(0.1);
    for (let i = 0; i < 6000; i++) loop.advance(1 / 60);
    expect([loop.tick, loop.kernel.owed]).toEqual([600, 0]);
  });

  test("a pace comes on top", () => {
    const loop = new Loop({ rate: 60 });
    timeScale(loop).set(0.5);
    timeScale(loop).pace = 1.5;
    for (let i = 0; i < 80; i++) loop.advance(1 / 60);
    expect([loop.tick, speedOf(loop)]).toEqual([60, 0.75]);
  });
});

test("catchUp makes up for lost time within its bound", () => {
  const loop = new Loop({ rate: 60, maxSteps: 2 });
  const { debt } = catchUp(loop, 0.1);
  expect(debt).toBe(0);
  loop.advance(0.2);
  expect([loop.tick, catchUp(loop, 0.1).debt, Math.round(loop.lostSeconds * 60)]).toEqual([2, 0.1, 4]);
  for (let i = 0; i < 6; i++) loop.advance(1 / 60);
  expect([loop.tick, catchUp(loop, 0.1).debt]).toEqual([14, 0]);
});

test("stepBudget ends a frame before the step that would not fit, and runs at least one", () => {
  let clock = 0;
  const loop = new Loop({ rate: 100, step: () => void (clock += 4) });
  stepBudget(loop, 0.01, () => clock);
  loop.advance(0.05);
  expect([loop.tick, Math.round(loop.lostSeconds * 100)]).toEqual([2, 3]);
  loop.advance(0.05);
  expect(loop.tick).toBe(4);
});

test("stepsLeft counts the steps of a frame", () => {
  const seen: number[] = [];
  const loop: Loop = new Loop({
    rate: 10,
    maxSteps: 3,
    maxFrameTime: 1,
    step: () => void seen.push(stepsLeft(loop)),
  });
  loop.advance(0.25);
  loop.advance(0.5);
  expect(seen).toEqual([2, 1, 3, 2, 1]);
});

test("changeRate takes effect between frames; a beat keeps its next time", () => {
  const beats: number[] = [];
  const loop: Loop = new Loop({
    rate: 60,
    step: ({ tick }) => void (tick === 29 && changeRate(loop, 120)),
  });
  every(loop, 4, () => void beats.push(loop.time));
  for (let i = 0; i < 60; i++) loop.advance(1 / 60);
  expect(loop.rate).toEqual([120, 1]);
  expect(loop.time + loop.kernel.owed / loop.kernel.second).toBeCloseTo(1, 9);
  expect(beats.map((time) => Math.round(time * 1e6) / 1e6)).toEqual([0, 0.25, 0.5, 0.75]);
});

test("a part may refuse another, or a new rate", () => {
  const loop = new Loop({ rate: 60 });
  loop.on("use", ({ name }) => {
    if (name === "every" || name === "changeRate") throw new Error(`no ${name}`);
  });
  expect(() => every(loop, 4, () => {})).toThrow("no every");
  expect(() => changeRate(loop, 30)).toThrow("no changeRate");
  loop.use({ step() {} });
});

test("other strategies of the article take the same loop", () => {
  const steps = (stepping: ReturnType<typeof variable>, frames: readonly number[]) => {
    const seen: number[] = [];
    const loop = new Loop({
      rate: 60,
      stepping,
      step: ({ dt }) => void seen.push(Math.round(dt * 1e6) / 1e6),
    });
    for (const frame of frames) loop.advance(frame);
    return [...seen, Math.round(loop.time * 1e6) / 1e6];
  };
  expect(steps(variable(), [0.02, 0.005])).toEqual([0.02, 0.005, 0.025]);
  expect(steps(variable({ min: 0.01 }), [0.005, 0.006, 0.02])).toEqual([0.011, 0.02, 0.031]);
  expect(steps(variable({ max: 0.02 }), [0.05])).toEqual([0.016667, 0.016667, 0.016667, 0.05]);
  expect(steps(semiFixed(), [0.02])).toEqual([0.016667, 0.003333, 0.02]);
  expect(steps(semiFixed({ split: "even" }), [0.02])).toEqual([0.01, 0.01, 0.02]);
  expect(steps(onePerFrame(), [0.1, 0.001])).toEqual([0.016667, 0.016667, 0.033333]);
});

describe("measure", () => {
  test("counts frames, steps, lost time and speed", () => {
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop, () => 0);
    loop.advance(1 / 60);
    loop.advance(5);
    loop.advance(0);
    loop.runSteps(4);
    expect(figures).toMatchObject({ frames: 4, steps: 20, overloads: 1, framesWithoutTime: 1 });
    expect(figures.lostSeconds).toBeCloseTo(4.75, 12);
    expect(figures.effectiveSpeed).toBeCloseTo((0.25 + 1 / 60) / (5 + 1 / 60), 12);
    expect([0, 1, 4, 8].map((steps) => figures.framesWith(steps))).toEqual([1, 1, 1, 1]);
  });

  test("a first frame is nothing unusual", () => {
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop);
    loop.advance(-1);
    loop.advance(1 / 120);
    expect([figures.effectiveSpeed, loop.frame.delta >= 0]).toEqual([1, true]);
  });

  test("shows costs and monitors as text and as data", () => {
    let clock = 0;
    const loop = new Loop({ rate: 60, step: () => void (clock += 2), render: () => void (clock += 3) });
    const figures = measure(loop, () => clock);
    figures.monitor("enemies", () => 12);
    for (let i = 0; i < 300; i++) loop.advance(1 / 60);
    expect([figures.stepCost, figures.renderCost]).toEqual(
      [0.002, 0.003].map((cost) => expect.closeTo(cost, 9)),
    );
    expect(String(figures)).toContain("enemies");
    expect(figures.toJSON()).toMatchObject({ steps: 300, monitors: { enemies: 12 } });
    expect(figures.recent.frames).toBeLessThan(257);
  });
});

test("bad input gets a clear error", () => {
  const cases: readonly [() => unknown, string][] = [
    [() => new Loop({ rate: 0 }), "Loop: rate must be a positive number of hertz"],
    [
      () => new Loop({ rate: 60, maxStep: 2 } as never),
      'Loop: unknown option "maxStep". Did you mean "maxSteps"?',
    ],
    [() => new Loop(undefined as never), "Loop: options must be an object, got undefined. Try { rate: 60 }."],
    [
      () => new Loop({ rate: 60, maxSteps: 0 }),
      "Loop: maxSteps must be a whole number, 1 or more, got 0. Try 8.",
    ],
    [() => new Loop({ rate: 60, step: 1 as never }), "Loop: step must be a function, got 1."],
    [
      () => new Loop({ rate: 60 }).start(),
      "Loop.start: driver must be a driver, got undefined. Try display(), timer() or nodeTimer().",
    ],
    [
      () => new Loop({ rate: 60 }).start(timer as never),
      "Loop.start: driver must be a driver, got a function.",
    ],
    [
      () => new Loop({ rate: 60 }).use({} as never),
      "Loop.use: step or render must be a function, got undefined.",
    ],
    [
      () => new Loop({ rate: 60 }).on("steps" as never, () => {}),
      'Loop.on: unknown event "steps". Did you mean "step"?',
    ],
    [
      () => new Loop({ rate: 60, step: async () => {} }).advance(1),
      "Loop: step must be synchronous, but it returned a promise.",
    ],
    [() => timeScale({} as never), "timeScale: loop must be a Loop, got {}. Try new Loop({ rate: 60 })."],
    [
      () => timeScale(new Loop({ rate: 60 })).set(-1),
      "TimeScale.set: scale must be a number from 0 to 1000, got -1.",
    ],
  ];
  for (const [run, message] of cases) expect(run).toThrow(message);
});
