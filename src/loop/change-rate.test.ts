// A change of the rate while the loop runs. test/property/change-rate.test.ts holds it against a model.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { Loop } from "../index.js";
import { manualDriver } from "../testing/index.js";
import { onePerFrame } from "./stepping.js";

test("time goes on where it was, in steps of the new length", () => {
  const steps: string[] = [];
  const loop = new Loop({
    rate: 60,
    step: ({ tick, dt, time }) => void steps.push(`${tick} ${dt.toFixed(4)} ${time.toFixed(4)}`),
  });
  for (let i = 0; i < 90; i++) loop.advance(1 / 60);
  loop.configure({ rate: 20 });
  expect([loop.tick, loop.time, loop.rate, loop.dt]).toEqual([90, 1.5, [20, 1], 0.05]);
  for (let i = 0; i < 60; i++) loop.advance(1 / 60);
  expect([loop.tick, loop.time]).toEqual([110, 2.5]);
  expect(steps.slice(88, 92)).toEqual([
    "88 0.0167 1.4667",
    "89 0.0167 1.4833",
    "90 0.0500 1.5000",
    "91 0.0500 1.5500",
  ]);
  loop.configure({ rate: [60000, 1001] });
  loop.advance(0.2);
  expect(loop.time).toBe((2.5 * 60000 + 11 * 1001) / 60000);
  expect(loop.stats.effectiveSpeed).toBeCloseTo(1, 12);
  loop.reset();
  expect([loop.tick, loop.time, loop.rate]).toEqual([0, 0, [60000, 1001]]);
});

test("a million steps at changing rates end at the exact time", () => {
  const loop = new Loop({ rate: 60 });
  const rates = [60, 144, 30, 75, 20, 240];
  for (let second = 0; second < 10_000; second++) {
    loop.configure({ rate: rates[second % rates.length]! });
    for (let i = 0; i < 10; i++) loop.advance(0.1);
  }
  expect(loop.time).toBe(10_000);
  expect(loop.tick).toBe(rates.reduce((sum, rate, i) => sum + rate * (i < 4 ? 1667 : 1666), 0));
});

test("a fraction of a step is neither lost nor doubled", () => {
  const loop = new Loop({ rate: 10 });
  loop.advance(0.15);
  expect([loop.tick, loop.overstep]).toEqual([1, 0.05]);
  // Three steps of the new length are due.
  loop.configure({ rate: 60 });
  expect(loop.overstep).toBe(0.05);
  loop.advance(1e-9);
  expect([loop.tick, loop.time]).toEqual([4, 0.15]);
  loop.configure({ rate: 10 });
  loop.advance(0.1);
  expect([loop.tick, loop.time]).toEqual([5, 0.25]);
});

test("steps that became due stay due during a pause, and after an error", () => {
  let isBroken = true;
  const loop = new Loop({
    rate: 10,
    step({ tick }) {
      if (tick === 1 && isBroken) throw new Error("broken");
    },
  });
  loop.advance(0.15);
  loop.pause();
  loop.configure({ rate: 60 });
  loop.advance(1);
  expect(loop.tick).toBe(1);
  loop.resume();
  expect(() => loop.advance(1e-9)).toThrow("broken");
  isBroken = false;
  loop.advance(1e-9);
  expect([loop.tick, loop.time]).toEqual([4, 0.15]);
});

test("inside a callback, the rate changes after the frame", () => {
  const rates: number[] = [];
  const loop = new Loop({
    rate: 60,
    step({ tick }) {
      if (tick === 1) loop.configure({ rate: 30 });
      if (tick === 4) loop.configure({ rate: 120 });
    },
    render: () => void rates.push(loop.rate[0]),
  });
  loop.on("rate", ([hertz]) => void rates.push(-hertz));
  loop.advance(0.05);
  loop.advance(0.1);
  loop.advance(0.1);
  expect(rates).toEqual([60, -30, 30, -120, 120]);
  expect([loop.tick, loop.time]).toEqual([18, 0.25]);
});

test("without listeners, a plain frame changes it, too", () => {
  const loop = new Loop({
    rate: 60,
    step({ tick }) {
      if (tick === 1) loop.configure({ rate: 30 });
    },
  });
  loop.advance(0.05);
  expect(loop.rate).toEqual([30, 1]);
  loop.advance(0.1);
  expect([loop.tick, loop.time]).toEqual([6, 0.15]);
});

test("a reset in the same callback starts at the new rate", () => {
  const loop = new Loop({
    rate: 60,
    render() {
      if (loop.tick !== 6) return;
      loop.configure({ rate: 10 });
      loop.reset();
    },
  });
  loop.advance(0.1);
  expect([loop.tick, loop.time, loop.rate]).toEqual([0, 0, [10, 1]]);
  loop.advance(0.2);
  expect(loop.time).toBe(0.2);
});

test("debt, its limit and lost time stay the same in seconds", () => {
  const loop = new Loop({ rate: 60, maxFrameTime: 0.1, overload: { catchUp: 0.5 } });
  loop.advance(3);
  expect([loop.debt, loop.stats.lostSeconds]).toEqual([0.5, 2.4]);
  loop.configure({ rate: 50 });
  expect([loop.debt, loop.stats.lostSeconds]).toEqual([0.5, 2.4]);
  for (let i = 0; i < 7; i++) loop.advance(1 / 60);
  expect(loop.debt).toBe(0);
  expect(loop.time + loop.overstep).toBeCloseTo(0.6 + 7 / 60, 9);
  loop.advance(3);
  expect([loop.debt, loop.stats.lostSeconds]).toEqual([0.5, 4.8]);
});

describe("the picture", () => {
  /** Runs a 60 Hz display through a change of the rate. Returns how far the picture moved in each frame, in refreshes. */
  function moves(from: number, to: number, pacing: "display" | "raw", offset: number): number[] {
    const driver = manualDriver();
    const list: number[] = [];
    let before = 0;
    const loop = new Loop({
      rate: from,
      driver,
      pacing,
      render({ shownTime }) {
        list.push((shownTime - before) * 60);
        before = shownTime;
      },
    });
    loop.start();
    driver.display(60, 2);
    driver.wait(offset);
    loop.configure({ rate: to });
    list.length = 0;
    driver.display(60, 2);
    return list;
  }

  test.each([
    [60, 30],
    [30, 60],
    [60, 20],
    [20, 60],
    [60, 144],
    [10, 120],
  ])(
    "from %d to %d steps per second, it never runs back, and a display loses or gains at most a step",
    (from, to) => {
      for (const pacing of ["display", "raw"] as const)
        for (const offset of [0, 0.001, 0.005, 0.012]) {
          const list = moves(from, to, pacing, offset);
          expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
          const extra = list.reduce((sum, move) => sum + move - 1, 0) / 60;
          // Interpolation is a step behind: the delay changes by the difference.
          const longest = Math.max(1 / from, 1 / to);
          expect(Math.abs(extra)).toBeLessThan(longest + 1e-3);
          // After the first second, every frame moves alike; steps and refreshes are aligned too slowly to be seen.
          for (const move of list.slice(60)) expect(Math.abs(move - 1)).toBeLessThan(0.0051);
        }
    },
  );
});

test("a driver that follows the rate is restarted, and no time is lost", () => {
  const rates: string[] = [];
  const driver = manualDriver();
  const { start } = driver;
  driver.start = (frame, ...host: never[]) => {
    rates.push(String((host[0] as unknown as { rate: readonly number[] }).rate));
    start(frame);
  };
  const loop = new Loop({ rate: 60, driver });
  loop.start();
  driver.play([0, 100, 250]);
  loop.configure({ rate: 20 });
  driver.play([400, 500]);
  expect([loop.time, loop.stats.lostSeconds, rates]).toEqual([0.5, 0, ["60,1", "20,1"]]);
});

test("the same rate again changes nothing", () => {
  const loop = new Loop({ rate: 60 });
  let events = 0;
  loop.on("rate", () => void events++);
  loop.advance(0.1);
  loop.configure({ rate: [120, 2] });
  expect(events).toBe(0);
});

test("beats keep their phase", () => {
  const heard: string[] = [];
  const loop = new Loop({ rate: 60, step: ({ time }) => void heard.push(time.toFixed(3)) });
  const beat = loop.every(10, ({ tick }) => void heard.push(`beat ${tick}`));
  loop.runSteps(8);
  loop.configure({ rate: 20 });
  loop.runSteps(3);
  expect(heard.slice(-8)).toEqual(["0.083", "beat 1", "0.100", "0.117", "0.133", "0.183", "beat 2", "0.233"]);
  // A beat that is added later is in phase, too.
  const late = loop.every(10, () => {});
  expect([beat.tick, late.tick]).toEqual([3, 3]);
});

test.each([
  [60, 20],
  [20, 60],
  [60, 144],
])("objects that a beat moves go on evenly from %d to %d steps per second", (from, to) => {
  const loop = new Loop({ rate: from });
  const beat = loop.every(4, () => {});
  const alphas: number[] = [];
  for (let frame = 0; frame < 240; frame++) {
    if (frame === 130) loop.configure({ rate: to });
    loop.advance(1 / 240);
    alphas.push(beat.alpha);
  }
  const moves = alphas.slice(121).map((alpha, i) => alpha - alphas[i + 120]!);
  // A beat takes 60 frames; it starts over once in this time.
  expect(moves.filter((move) => move < 0).length).toBeLessThanOrEqual(2);
  // Once, by how much later or earlier the first step at the new rate is shown.
  expect(moves.filter((move) => Math.abs(move) > 0.1 && move > 0)).toHaveLength(0);
});

test("timestampOf counts with the new rate", () => {
  const driver = manualDriver();
  const loop = new Loop({ rate: 50, driver });
  loop.start();
  driver.play([1000, 1100]);
  expect([loop.tick, loop.timestampOf(10)]).toEqual([5, 1220]);
  loop.configure({ rate: 10 });
  // State 6 is at 0.2 s, and shown a step of 0.1 s later.
  expect(loop.timestampOf(6)).toBe(1300);
  driver.play([1150]);
  expect(loop.timestampOf(6)).toBe(1300);
  driver.play([1210]);
  expect([loop.tick, loop.timestampOf(6)]).toEqual([6, 1300]);
});

test("steps that ran ahead of the clock are not run again", () => {
  const driver = manualDriver();
  const loop = new Loop({
    rate: 100,
    driver,
    stepBudget: 0.2,
    rereadClock: true,
    step: ({ tick }) => driver.spend(tick === 9 ? 0.05 : 0),
  });
  loop.start();
  driver.wait(0.1);
  // Five more steps became due while the tenth ran.
  expect(loop.tick).toBe(15);
  loop.configure({ rate: 50 });
  driver.wait(0);
  driver.wait(0.1);
  expect(loop.time).toBeCloseTo(0.25, 9);
});

test("the load is that of the current rate", () => {
  const driver = manualDriver();
  const loop = new Loop({ rate: 100, driver, measureCosts: true, step: () => driver.spend(0.005) });
  loop.start();
  driver.display(60, 1);
  expect(loop.stats.load).toBeCloseTo(0.5, 6);
  loop.configure({ rate: 50 });
  expect(loop.stats.load).toBeCloseTo(0.25, 6);
});

describe("rejects a change", () => {
  test("with another stepping, or while it speculates", () => {
    const plan = new Loop({ rate: 60, stepping: onePerFrame() });
    plan.advance(0.1);
    expect(() => plan.configure({ rate: 30 })).toThrow(
      errorWith("not-ready", "Loop.configure: cannot change rate after the first frame. Call reset() first."),
    );
    const loop = new Loop({ rate: 60, present: "speculate" });
    loop.advance(0.1);
    expect(() => loop.configure({ rate: 30 })).toThrow(errorWith("not-ready", 'if present is "speculate"'));
    expect(loop.rate).toEqual([60, 1]);
  });

  test("to something that is no rate", () => {
    const loop = new Loop({ rate: 60 });
    loop.advance(0.1);
    for (const rate of [0, -1, NaN, "60", null, {}])
      expect(() => loop.configure({ rate: rate as number })).toThrow(errorWith("bad-value"));
    expect(loop.rate).toEqual([60, 1]);
  });
});

describe("the lead of display pacing", () => {
  /** Returns the largest lead during some seconds at 60.06 Hz, and the fastest change of it, in seconds per second. */
  function watch(loop: Loop, driver: ReturnType<typeof manualDriver>, seconds: number) {
    let [most, fastest, last] = [0, 0, loop.lead];
    for (let frame = 0; frame < 60.06 * seconds; frame++) {
      driver.display(60.06, 1 / 60.06);
      most = Math.max(most, Math.abs(loop.lead));
      fastest = Math.max(fastest, Math.abs(loop.lead - last) * 60.06);
      last = loop.lead;
    }
    return { most, fastest };
  }

  test("stays the same when the rate changes, and then returns to half of a new step", () => {
    const driver = manualDriver();
    const loop = new Loop({ rate: 60, pacing: "display", driver });
    loop.start();
    expect(watch(loop, driver, 7.5).most).toBeLessThanOrEqual(0.5001 / 60);
    const before = loop.lead;
    loop.configure({ rate: 240 });
    expect(loop.lead).toBeCloseTo(before, 8);
    expect(Math.abs(before)).toBeGreaterThan(1.5 * loop.dt);
    const { most, fastest } = watch(loop, driver, 2);
    expect(most).toBeLessThanOrEqual(Math.abs(before));
    expect(fastest).toBeLessThan(0.00501);
    expect(watch(loop, driver, 20).most).toBeLessThanOrEqual(0.5001 * loop.dt);
  });

  test("has no limit at a rate that was measured on the display, and returns slowly at a rate in hertz", () => {
    const driver = manualDriver();
    const loop = new Loop({ rate: "display", pacing: "display", driver });
    loop.start();
    driver.display(60, 10);
    driver.display(60.05, 300);
    const before = loop.lead;
    expect(before).toBeCloseTo((0.05 / 60) * 300, 2);
    loop.configure({ rate: 120 });
    expect(loop.lead).toBeCloseTo(before, 8);
    const { fastest } = watch(loop, driver, 100);
    expect(fastest).toBeLessThan(0.00501);
    expect(Math.abs(loop.lead)).toBeLessThanOrEqual(0.5001 * loop.dt);
  });
});
