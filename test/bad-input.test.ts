import { describe, expect, test } from "vitest";
import { nodeDriver } from "../src/drivers/node.js";
import { browserDriver, Loop, ramp, timerDriver, type LoopOptions } from "../src/index.js";
import { fixed, semiFixed, variable } from "../src/loop/stepping.js";
import { manualDriver } from "../src/testing/index.js";

/** The call, the rule, the value, the way out. */
const FORM =
  /^(Loop|Driver|variable|semiFixed|manualDriver|browserDriver|timerDriver|nodeDriver|ramp)[\w.]*(: [\w. ]+)? must be .+, got .+\. Try .+\.$/s;

const notNumbers = ["1", null, true, {}, [], () => 1, 1n, Symbol("s"), Object.create(null)];
const numbers = { NaN, negative: -1, zero: 0, huge: 1e300, Infinity, fraction: 1.5 };
const { NaN: nan, negative, zero, huge, Infinity: infinity, fraction } = numbers;

/** What each option must refuse; undefined is always "not given". */
const refused: { [K in keyof LoopOptions]-?: unknown[] } = {
  rate: [
    undefined,
    ...notNumbers,
    nan,
    negative,
    zero,
    huge,
    infinity,
    [60],
    [60, 0],
    [60, -1],
    ["60", 1],
    [60, 1, 1],
  ],
  step: ["f", 1, null, {}],
  render: ["f", 1, null, {}],
  timeScale: [...notNumbers, nan, negative, huge, infinity],
  stepping: ["fixed", fixed, null, 1, {}],
  driver: ["rAF", null, 1, {}, { start() {} }, { start() {}, stop() {} }],
  now: [1, "now", null, {}],
  maxFrameTime: [...notNumbers, nan, negative, zero, huge, infinity],
  maxSteps: [...notNumbers, nan, negative, zero, huge, fraction],
  stepBudget: [...notNumbers, nan, negative, zero, huge],
  overload: [
    "dorp",
    null,
    1,
    {},
    { catchup: 1 },
    ...[...notNumbers, nan, negative, huge, infinity].map((catchUp) => ({ catchUp })),
  ],
  costs: ["yes", 1, null, {}],
  pacing: ["Display", null, 1, true, {}],
  present: ["newest", null, 1, true, {}],
  frameCap: [...notNumbers, nan, negative, zero, huge, "third", [60], [60, 0]],
};
const now = () => 0;

describe.each(Object.entries(refused))("Loop option %s", (name, values) => {
  test.each(values.map((value) => ({ value })))("refuses $value", ({ value }) => {
    expect(() => new Loop({ rate: 60, now, [name]: value } as LoopOptions)).toThrow(FORM);
  });
});

const settings = [
  "rate",
  "maxFrameTime",
  "maxSteps",
  "stepBudget",
  "overload",
  "costs",
  "pacing",
  "present",
  "frameCap",
] as const;
test.each(settings)("configure refuses a bad %s, and nothing changes", (name) => {
  const loop = new Loop({ rate: 60, now, maxSteps: 3, overload: { catchUp: 1 } });
  for (const value of refused[name].filter((value) => value !== undefined))
    expect(() => loop.configure({ maxSteps: 1, overload: "drop", [name]: value })).toThrow(FORM);
  loop.advance(0.2);
  expect([loop.tick, loop.debt, loop.dt]).toEqual([3, 0.15, 1 / 60]);
});

const loop = new Loop({ rate: 60 });
const driver = manualDriver();
const calls: Record<string, [(value: never) => unknown, unknown[]]> = {
  "new Loop": [(value) => new Loop(value), [undefined, null, 1, "x", () => {}]],
  advance: [(value) => loop.advance(value), [undefined, ...notNumbers, nan, huge, infinity, -infinity]],
  runSteps: [(value) => loop.runSteps(value), [...notNumbers, nan, negative, fraction, huge, infinity]],
  timestampOf: [
    (value) => loop.timestampOf(value),
    [undefined, ...notNumbers, nan, negative, fraction, huge, infinity],
  ],
  timeScale: [(value) => (loop.timeScale = value), [undefined, ...notNumbers, nan, negative, huge, infinity]],
  "ramp scale": [(value) => ramp(value, 1), [undefined, ...notNumbers, nan, negative, huge]],
  "ramp seconds": [(value) => ramp(1, value), [undefined, ...notNumbers, nan, negative, huge, infinity]],
  configure: [(value) => loop.configure(value), [undefined, null, 1, "x"]],
  "every rate": [
    (value) => loop.every(value, () => {}),
    [undefined, ...notNumbers, nan, negative, zero, huge, [1]],
  ],
  "every run": [(value) => loop.every(4, value), [undefined, null, 1, "x", {}]],
  "on event": [
    (value) => loop.on(value, () => {}),
    [undefined, null, 1, "Step", "constructor", "__proto__", {}, Symbol("s")],
  ],
  "on listener": [(value) => loop.on("step", value), [undefined, null, 1, "x", {}]],
  add: [
    (value) => loop.add(value),
    [undefined, null, 1, "x", { step: 1 }, { render: "x" }, {}, { update() {} }],
  ],
  "configure driver": [(driver) => loop.configure({ driver }), ["rAF", null, 1, {}, { start() {} }]],
  browserDriver: [(options) => browserDriver(options), [null, 1, "run"]],
  timerDriver: [(options) => timerDriver(options), [null, 60, "60"]],
  nodeDriver: [(options) => nodeDriver(options), [null, 60, "high"]],
  "browserDriver hidden": [(hidden) => browserDriver({ hidden }), ["stop", null, 1, true, {}]],
  "timerDriver frameRate": [
    (frameRate) => timerDriver({ frameRate }),
    [...notNumbers, nan, negative, zero, huge, infinity],
  ],
  "nodeDriver frameRate": [
    (frameRate) => nodeDriver({ frameRate }),
    [...notNumbers, nan, negative, zero, huge, infinity],
  ],
  "nodeDriver precision": [
    (precision) => nodeDriver({ precision }),
    ["hi", null, 1, "toString", "__proto__", {}],
  ],
  "variable min": [(min) => variable({ min, max: 0.1 }), [...notNumbers, nan, negative, 0.2, huge]],
  "variable max": [(max) => variable({ max }), [...notNumbers, nan, negative, zero, huge, infinity]],
  "semiFixed split": [(split) => semiFixed({ split }), ["evn", 1, null, {}]],
  manualDriver: [(value) => manualDriver(value), [...notNumbers, nan, infinity, huge]],
  "driver.wait": [
    (value) => driver.wait(value),
    [undefined, ...notNumbers, nan, negative, huge, infinity, 1],
  ],
  "driver.spend": [(value) => driver.spend(value), [undefined, ...notNumbers, nan, negative, huge, infinity]],
  "driver.display": [
    (value) => driver.display(value, 1),
    [undefined, ...notNumbers, nan, negative, zero, huge, infinity],
  ],
  "driver.play": [(value) => driver.play(value), [undefined, null, 1, [1], {}]],
};

describe.each(Object.entries(calls))("%s", (_, [call, values]) => {
  test.each(values.map((value) => ({ value })))("refuses $value", ({ value }) => {
    expect(() => call(value as never)).toThrow(FORM);
  });
});

test("after all that, the loop is as it was", () => {
  expect([loop.tick, loop.timeScale, loop.overstep, loop.stats.frames]).toEqual([0, 1, 0, 0]);
});
