import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { manualDriver } from "../testing/index.js";
import { Loop } from "./loop.js";
import { changeRate } from "./parts/change-rate.js";
import { measure } from "./parts/measure.js";
import { suggestRate } from "./suggest-rate.js";

/** A clock on which a step takes some seconds. */
function machine(cost: (step: number) => number, grid = 0) {
  const driver = manualDriver();
  let steps = 0;
  return {
    get steps() {
      return steps;
    },
    step: () => driver.spend(cost(steps++)),
    now: () => (grid ? Math.floor(driver.time / grid) * grid : driver.time),
  };
}

test.each([
  [0.0001, 120, 0.012],
  [0.004, 120, 0.48],
  [0.005, 60, 0.3],
  [0.01, 30, 0.3],
  [0.1, 30, 3],
])("a step of %d s: %d steps per second, at a load of %d", (cost, rate, load) => {
  const { step, now } = machine(() => cost);
  const found = suggestRate(step, { now });
  expect(found.rate).toBe(rate);
  expect(found.cost).toBeCloseTo(cost, 9);
  expect(found.load).toBeCloseTo(load, 9);
  expect(suggestRate(cost).rate).toBe(rate);
});

describe("hysteresis", () => {
  test.each([
    // At 60, 120 needs a load of at most 0.35 and not 0.5.
    [60, 0.0028, 120],
    [60, 0.003, 60],
    [60, 0.0041, 60],
    [120, 0.003, 120],
    [120, 0.0041, 120],
    [120, 0.0042, 60],
    [60, 0.0084, 30],
    // A rate that is not in the list does not count.
    [90, 0.0041, 120],
  ])("at %d steps per second, a step of %d s leads to %d", (current, cost, rate) => {
    expect(suggestRate(cost, { current }).rate).toBe(rate);
  });

  test("a cost that varies by a third does not switch back and forth", () => {
    const seen = (isKept: boolean) => {
      let [current, changes] = [60, 0];
      for (let i = 0; i < 100; i++) {
        const cost = 0.0042 * (i % 2 ? 1.15 : 0.85);
        const rate = suggestRate(cost, isKept ? { current } : {}).rate as number;
        if (rate !== current) changes++;
        current = rate;
      }
      return changes;
    };
    expect(seen(true)).toBe(0);
    expect(seen(false)).toBe(100);
  });
});

describe("measuring", () => {
  test("takes about as long as it may, and leaves out slow first steps and single slow ones", () => {
    const busy = machine((step) => (step < 12 ? 0.01 : step % 20 === 0 ? 0.02 : 0.001));
    const { cost } = suggestRate(busy.step, { now: busy.now, seconds: 0.4 });
    expect(cost).toBeLessThan(0.0021);
    expect(cost).toBeGreaterThanOrEqual(0.001);
    expect(busy.now()).toBeLessThan(500);
  });

  test("a clock of whole milliseconds is good enough", () => {
    const coarse = machine(() => 0.0003, 1);
    expect(suggestRate(coarse.step, { now: coarse.now }).cost).toBeCloseTo(0.0003, 5);
  });

  test("very slow steps run three times", () => {
    const slow = machine(() => 5);
    expect(suggestRate(slow.step, { now: slow.now }).load).toBe(150);
    expect(slow.steps).toBe(3);
  });

  test("a clock whose ticks are much longer than a step is waited for", () => {
    let [steps, reads] = [0, 0];
    const now = () => Math.floor(reads++ / 5000) * 100;
    const { rate, cost } = suggestRate(() => void steps++, { now });
    // A step and its reading take a 5000th of 100 ms.
    expect(cost).toBeCloseTo(0.1 / 5000, 6);
    expect(rate).toBe(120);
    expect(steps).toBeLessThan(50_000);
  });

  test.each([
    ["stands still", () => 5, "suggestRate: now must be a clock that advances, got 5."],
    ["is NaN", () => NaN, "suggestRate: now must be a clock that returns milliseconds, got NaN."],
    ["is a text", () => "5" as never, 'suggestRate: now must be a clock that returns milliseconds, got "5".'],
    ["is a bigint", () => 5n as never, "suggestRate: now must be a clock that returns milliseconds, got 5n."],
  ])("a clock that %s is an error after few steps", (_, now, message) => {
    let steps = 0;
    expect(() => suggestRate(() => void steps++, { now })).toThrow(errorWith("bad-value", message));
    expect(steps).toBeLessThanOrEqual(1000);
  });

  test("so is a clock that runs backwards", () => {
    let [time, steps] = [0, 0];
    expect(() => suggestRate(() => void steps++, { now: () => time-- })).toThrow(
      "must be a clock that advances",
    );
    expect(steps).toBeLessThanOrEqual(1000);
  });

  test("by default, it reads the clock of drivers", () => {
    const { cost, rate } = suggestRate(() => {}, { seconds: 0.001 });
    expect(cost).toBeGreaterThanOrEqual(0);
    expect([30, 60, 120]).toContain(rate);
  });
});

test("a running loop follows its machine, and time stays exact", () => {
  const driver = manualDriver();
  let cost = 0.002;
  const loop = new Loop({ rate: 120, step: () => driver.spend(cost) });
  const figures = measure(loop);
  loop.start(driver);
  const rates: unknown[] = [];
  for (let second = 0; second < 12; second++) {
    // A big fight from 3 to 8 s.
    cost = second >= 3 && second < 8 ? 0.007 : 0.002;
    driver.display(60, 1);
    const { stepCost } = figures.recent;
    changeRate(loop, suggestRate(stepCost, { rates: [30, 60, 120], current: loop.rate }).rate);
    rates.push(loop.rate[0]);
  }
  expect(rates[0]).toBe(120);
  expect(rates).toContain(60);
  expect(rates.at(-1)).toBe(120);
  expect(rates.filter((rate, i) => i > 0 && rate !== rates[i - 1])).toHaveLength(2);
  const { owed, second } = loop.kernel;
  expect(loop.time + owed / second + loop.lostSeconds).toBeCloseTo(loop.frame.timestamp / 1000, 6);
});

describe("rejects", () => {
  test.each([
    [{ rates: [] }, "suggestRate: rates must be a list of rates"],
    [{ rates: [0] }, "suggestRate: rates must be a positive number of hertz"],
    [{ rates: 60 }, "suggestRate: rates"],
    [{ maxLoad: 0 }, "suggestRate: maxLoad"],
    [{ margin: 1 }, "suggestRate: margin"],
    [{ seconds: 0 }, "suggestRate: seconds"],
    [{ current: -1 }, "suggestRate: current"],
    [{ now: 1 }, "suggestRate: now"],
  ])("%j", (options, message) => {
    expect(() => suggestRate(0.001, options as never)).toThrow(errorWith("bad-value", message));
  });

  test("a step that is neither a function nor a cost, an unknown option, a promise", () => {
    for (const step of [undefined, null, "x", {}, -1, NaN, Infinity])
      expect(() => suggestRate(step as never)).toThrow(errorWith("bad-value", "suggestRate: step"));
    expect(() => suggestRate(0.1, { rate: 60 } as never)).toThrow(errorWith("unknown-option"));
    expect(() => suggestRate(async () => {})).toThrow(errorWith("async-callback", "suggestRate: step"));
  });
});
