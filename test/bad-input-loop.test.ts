// Every function of the loop, its drivers and parts, the HUD and sound rejects bad input with a clear error.
import { describe, expect, test } from "vitest";
import * as audio from "../src/audio/index.js";
import { diagnose, mountHud } from "../src/hud/index.js";
import {
  catchUp,
  changeRate,
  display,
  every,
  Loop,
  measure,
  onOverload,
  ramp,
  slowMotion,
  speedOf,
  stepBudget,
  stepsLeft,
  suggestRate,
  timer,
  timeScale,
  timestampOf,
  type LoopOptions,
} from "../src/index.js";
import * as tickwise from "../src/index.js";
import { nodeTimer } from "../src/loop/drivers/node.js";
import { onePerFrame, semiFixed, variable } from "../src/loop/stepping.js";
import { manualDisplay, manualDriver } from "../src/testing/index.js";
import { expectRejected, notNumbers, numbers, type Calls } from "./rejected.js";

const { NaN: nan, negative, zero, huge, Infinity: infinity, fraction } = numbers;

/** A context and music, as far as the checks look. */
const device = { state: "running", currentTime: 0, sampleRate: 48_000 };
const audioClock = audio.audioClock(device, new Loop({ rate: 60 })) as audio.AudioClock<never>;
const song = { duration: 1 } as AudioBuffer;

const notRates = [
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
];
const notFunctions = ["f", 1, null, {}];
const notLoops = [undefined, null, 1, "x", {}, Loop, { on() {} }];

/** Values that each option must reject. Undefined always means "not given". */
const rejected: { [K in keyof LoopOptions]-?: unknown[] } = {
  rate: notRates,
  step: notFunctions,
  render: notFunctions,
  maxFrameTime: [...notNumbers, nan, negative, zero, huge, infinity],
  maxSteps: [...notNumbers, nan, negative, zero, huge, fraction],
  stepping: ["fixed", onePerFrame, variable, semiFixed, null, 1, {}],
};

describe.each(Object.entries(rejected))("Loop option %s", (name, values) => {
  test.each(values.map((value) => ({ value })))("rejects $value", ({ value }) => {
    expectRejected(() => new Loop({ rate: 60, [name]: value } as LoopOptions));
  });
});

test.each(["maxFrameTime", "maxSteps"] as const)("%s cannot be set to a bad value", (name) => {
  const loop = new Loop({ rate: 60, maxSteps: 3, maxFrameTime: 0.1 });
  for (const value of [undefined, ...rejected[name]]) expectRejected(() => (loop[name] = value as number));
  expect([loop.maxSteps, loop.maxFrameTime]).toEqual([3, 0.1]);
});

test.each<[string, string, () => unknown]>([
  ["Loop", "maxSteps", () => new Loop({ rate: 60, maxStep: 8 } as never)],
  ["display", "frameCap", () => display({ framecap: 60 } as never)],
  ["timer", "frameRate", () => timer({ framerate: 60 } as never)],
  ["nodeTimer", "precision", () => nodeTimer({ precison: "high" } as never)],
  ["audioClock", "delay", () => audio.audioClock(device, new Loop({ rate: 60 }), { dely: 0 } as never)],
  ["audioTime", "extraLatency", () => audio.audioTime(device, { extraLatncy: 0 } as never)],
  ["playMusic", "repeat", () => audio.playMusic(audioClock, song, { repeet: true } as never)],
  ["variable", "max", () => variable({ mx: 1 } as never)],
  ["semiFixed", "split", () => semiFixed({ splt: "even" } as never)],
  ["slowMotion", "easeIn", () => slowMotion(0.5, 1, { easein: 0.1 } as never)],
])("%s rejects an unknown option and suggests %s", (call, name, act) => {
  expect(act).toThrow(
    expect.objectContaining({ code: "unknown-option", call, fix: `Did you mean "${name}"?` }),
  );
});

test.each<[string, () => unknown]>([
  ["every", () => Reflect.apply(every, undefined, [new Loop({ rate: 60 }), 10, () => {}, {}])],
  ["ramp", () => Reflect.apply(ramp, undefined, [0.5, 1, "easeIn", 1])],
  ["onePerFrame", () => Reflect.apply(onePerFrame, undefined, [{}])],
])("%s rejects extra arguments", (call, act) => {
  expect(act).toThrow(expect.objectContaining({ code: "unknown-option", call }));
});

test("an instance of a class may have fields that are not options", () => {
  class Game {
    rate = 60;
    lives = 3;
    step() {
      this.lives--;
    }
  }
  const game = new Game();
  new Loop(game).runSteps(2);
  expect(game.lives).toBe(1);
});

const loop = new Loop({ rate: 60 });
const driver = manualDriver();
const calls: Calls = {
  "new Loop": [(value) => new Loop(value), [undefined, null, 1, "x", () => {}]],
  advance: [(value) => loop.advance(value), [undefined, ...notNumbers, nan, huge, infinity, -infinity]],
  runSteps: [(value) => loop.runSteps(value), [...notNumbers, nan, negative, fraction, huge, infinity]],
  start: [
    (value) => loop.start(value),
    [undefined, null, 1, "rAF", {}, display, { start() {} }, { start() {}, stop() {} }],
  ],
  "on event": [
    (value) => loop.on(value, () => {}),
    [undefined, null, 1, "Step", "overload", "constructor", "__proto__", {}, Symbol("s")],
  ],
  "on listener": [(value) => loop.on("step", value), [undefined, null, 1, "x", {}]],
  use: [
    (value) => loop.use(value),
    [undefined, null, 1, "x", () => {}, { step: 1 }, { render: "x" }, {}, { update() {} }],
  ],
  display: [(options) => display(options), [null, 1, "run", []]],
  "display frameCap": [
    (frameCap) => display({ frameCap }),
    [...notNumbers, nan, negative, zero, huge, "third", [60], [60, 0]],
  ],
  "display hidden": [(hidden) => display({ hidden }), ["stop", "run", null, 1, true, {}]],
  "display frames": [(frames) => display({ frames }), [null, 1, "rAF", {}, { begin() {} }, { now() {} }]],
  "display clock": [(clock) => display({ clock }), [null, 1, "x", {}, { advance() {} }, device]],
  "Display.on event": [(value) => display().on(value, () => {}), [undefined, null, 1, "rates", "toString"]],
  "Display.on listener": [(value) => display().on("rate", value), [undefined, null, 1, "x", {}]],
  timer: [(options) => timer(options), [null, 60, "60"]],
  "timer frameRate": [
    (frameRate) => timer({ frameRate }),
    [...notNumbers, nan, negative, zero, huge, infinity],
  ],
  nodeTimer: [(options) => nodeTimer(options), [null, 60, "high"]],
  "nodeTimer frameRate": [
    (frameRate) => nodeTimer({ frameRate }),
    [...notNumbers, nan, negative, zero, huge, infinity],
  ],
  "nodeTimer precision": [
    (precision) => nodeTimer({ precision }),
    ["hi", null, 1, "toString", "__proto__", {}],
  ],
  ...Object.fromEntries(
    Object.entries({
      catchUp: (value: Loop) => catchUp(value),
      changeRate: (value: Loop) => changeRate(value, 60),
      every: (value: Loop) => every(value, 4, () => {}),
      measure: (value: Loop) => measure(value),
      onOverload: (value: Loop) => onOverload(value, () => {}),
      speedOf,
      stepBudget: (value: Loop) => stepBudget(value, 0.01),
      stepsLeft,
      timeScale,
      timestampOf: (value: Loop) => timestampOf(value, 1),
    }).map(([name, call]) => [`${name} loop`, [call as (value: never) => unknown, notLoops]]),
  ),
  "catchUp seconds": [(value) => catchUp(loop, value), [...notNumbers, nan, negative, huge, infinity]],
  "changeRate rate": [(value) => changeRate(loop, value), notRates],
  "every rate": [(value) => every(loop, value, () => {}), notRates],
  "every run": [(value) => every(loop, 4, value), [undefined, null, 1, "x", {}]],
  "Beat.on event": [
    (value) => every(loop, 4, () => {}).on(value, () => {}),
    [undefined, null, "step", "toString"],
  ],
  "Beat.on listener": [(value) => every(loop, 4, () => {}).on("reset", value), [undefined, ...notFunctions]],
  "measure now": [(value) => measure(loop, value), notFunctions],
  "monitor name": [(value) => measure(loop).monitor(value, () => 1), [undefined, null, 1, "", {}, []]],
  "monitor read": [(value) => measure(loop).monitor("enemies", value), [undefined, ...notFunctions]],
  "onOverload listener": [(value) => onOverload(loop, value), [undefined, ...notFunctions]],
  "stepBudget seconds": [
    (value) => stepBudget(loop, value),
    [undefined, ...notNumbers, nan, negative, zero, huge],
  ],
  "stepBudget now": [(value) => stepBudget(loop, 0.01, value), notFunctions],
  "timeScale set": [
    (value) => timeScale(loop).set(value),
    [undefined, ...notNumbers, nan, negative, huge, infinity, { begin: 1 }],
  ],
  "timeScale pace": [
    (value) => (timeScale(loop).pace = value),
    [undefined, ...notNumbers, nan, negative, zero, huge, infinity],
  ],
  "timeScale hitStop": [
    (value) => timeScale(loop).hitStop(value),
    [undefined, ...notNumbers, nan, negative, huge, infinity],
  ],
  "timestampOf tick": [
    (value) => timestampOf(loop, value),
    [undefined, ...notNumbers, nan, negative, fraction, huge, infinity],
  ],
  "ramp scale": [(value) => ramp(value, 1), [undefined, ...notNumbers, nan, negative, huge]],
  "ramp easing": [(value) => ramp(1, 1, value), [null, 1, "ease", "toString", {}, () => {}]],
  "slowMotion scale": [(value) => slowMotion(value, 1), [undefined, ...notNumbers, nan, negative, huge]],
  "slowMotion seconds": [
    (value) => slowMotion(0.5, value),
    [undefined, ...notNumbers, nan, negative, huge, infinity],
  ],
  "slowMotion options": [(value) => slowMotion(0.5, 1, value), [null, 1, "x", [], { ease: 1 }]],
  "slowMotion easeIn": [
    (easeIn) => slowMotion(0.5, 1, { easeIn }),
    [...notNumbers, nan, negative, huge, infinity],
  ],
  "slowMotion easeOut": [
    (easeOut) => slowMotion(0.5, 1, { easeOut }),
    [...notNumbers, nan, negative, huge, infinity],
  ],
  "slowMotion easing": [(easing) => slowMotion(0.5, 1, { easing }), [null, 1, "ease", {}]],
  "suggestRate step": [(value) => suggestRate(value), [undefined, null, "x", {}, nan, negative, infinity]],
  "suggestRate options": [(value) => suggestRate(0.001, value), [null, 1, "x", [], { rate: 60 }]],
  "ramp seconds": [(value) => ramp(1, value), [undefined, ...notNumbers, nan, negative, huge, infinity]],
  "variable min": [(min) => variable({ min, max: 0.1 }), [...notNumbers, nan, negative, 0.2, huge]],
  "variable max": [(max) => variable({ max }), [...notNumbers, nan, negative, zero, huge, infinity]],
  "variable options": [(options) => variable(options), [null, 1, "x"]],
  "semiFixed options": [(options) => semiFixed(options), [null, 1, "even"]],
  "semiFixed split": [(split) => semiFixed({ split }), ["evn", 1, null, {}]],
  diagnose: [(value) => diagnose(value), [undefined, null, 1, "x", {}, { on() {} }, { loop: {} }, Loop]],
  "mountHud loop": [(value) => mountHud(value), [undefined, null, 1, "x", {}, { loop: null }, Loop]],
  "mountHud options": [(options) => mountHud(loop, options), [null, 1, "top-left"]],
  "mountHud corner": [(corner) => mountHud(loop, { corner }), ["left", null, 1, {}, ["top-left"]]],
  "mountHud collapsed": [(collapsed) => mountHud(loop, { collapsed }), ["yes", 1, null, {}]],
  "mountHud key": [(key) => mountHud(loop, { key }), ["", 1, true, {}]],
  "audioClock context": [
    (value) => audio.audioClock(value, loop),
    [undefined, null, 1, "x", {}, { sampleRate: 0 }, Promise.resolve(device)],
  ],
  "audioClock loop": [
    (value) => audio.audioClock(device, value),
    [undefined, null, 1, "x", {}, { loop: null }, Loop],
  ],
  "audioClock options": [(options) => audio.audioClock(device, loop, options), [null, 1, "x"]],
  "audioClock delay": [
    (delay) => audio.audioClock(device, loop, { delay }),
    [...notNumbers, nan, -2, 2, huge, infinity],
  ],
  "audioClock extraLatency": [
    (extraLatency) => audio.audioClock(device, loop, { extraLatency }),
    [...notNumbers, nan, negative, 2, huge, infinity],
  ],
  "AudioClock.timeOf": [
    (value) => audioClock.timeOf(value),
    [undefined, ...notNumbers, nan, negative, fraction, infinity],
  ],
  "AudioClock.timeOfEffect": [
    (value) => audioClock.timeOfEffect(value),
    [undefined, null, 1, "x", {}, { tick: -1 }, { tick: 1.5 }, { tick: "1" }],
  ],
  "AudioClock.timeOfEffect fraction": [
    (value) => audioClock.timeOfEffect({ tick: 0 }, value),
    [...notNumbers, nan, negative, 1.5, infinity],
  ],
  "AudioClock.timeOfShown": [
    (value) => audioClock.timeOfShown(value),
    [undefined, ...notNumbers, nan, negative, huge, infinity],
  ],
  "AudioClock.shownAt": [
    (value) => audioClock.shownAt(value),
    [undefined, ...notNumbers, nan, huge, infinity],
  ],
  "AudioClock.timeAt": [(value) => audioClock.timeAt(value), [undefined, ...notNumbers, nan, huge, infinity]],
  "AudioClock.timestampAt": [
    (value) => audioClock.timestampAt(value),
    [undefined, ...notNumbers, nan, huge, infinity],
  ],
  "audioTime context": [
    (value) => audio.audioTime(value),
    [undefined, null, 1, "x", {}, { sampleRate: "1" }],
  ],
  "audioTime options": [(options) => audio.audioTime(device, options), [null, 1, "x"]],
  "audioTime extraLatency": [
    (extraLatency) => audio.audioTime(device, { extraLatency }),
    [...notNumbers, nan, negative, 2],
  ],
  "playMusic clock": [(value) => audio.playMusic(value, song), [undefined, null, 1, "x", {}, device]],
  "playMusic buffer": [
    (value) => audio.playMusic(audioClock, value),
    [undefined, null, 1, "x", {}, new ArrayBuffer(8), Promise.resolve(song)],
  ],
  "playMusic options": [(options) => audio.playMusic(audioClock, song, options), [null, 1, "x"]],
  "playMusic at": [
    (at) => audio.playMusic(audioClock, song, { at }),
    [...notNumbers, nan, negative, huge, infinity],
  ],
  "playMusic repeat": [(repeat) => audio.playMusic(audioClock, song, { repeat }), [null, 1, "yes", {}]],
  "playMusic slowMotion": [
    (slowMotion) => audio.playMusic(audioClock, song, { slowMotion }),
    [null, 1, true, "bent", {}, "toString"],
  ],
  "playMusic fade": [
    (fade) => audio.playMusic(audioClock, song, { fade }),
    [...notNumbers, nan, negative, zero, 2, huge, infinity],
  ],
  "playMusic destination": [
    (destination) => audio.playMusic(audioClock, song, { destination }),
    [null, 1, "speaker", {}],
  ],
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
  manualDisplay: [(value) => manualDisplay(value), [null, 1, "x", { framecap: 60 }, { frameCap: 0 }]],
  "manualDisplay time": [(value) => manualDisplay({}, value), [...notNumbers, nan, infinity, huge]],
  "driver.play": [(value) => driver.play(value), [undefined, null, 1, [1], {}]],
};

describe.each(Object.entries(calls))("%s", (_, [call, values]) => {
  test.each(values.map((value) => ({ value })))("rejects $value", ({ value }) => {
    expectRejected(() => call(value as never));
  });
});

test("after all that, the loop is as it was", () => {
  expect([loop.tick, loop.kernel.owed, loop.running, loop.rate]).toEqual([0, 0, false, [60, 1]]);
  expect([timeScale(loop).value, timeScale(loop).pace, speedOf(loop), measure(loop).frames]).toEqual([
    1, 1, 1, 0,
  ]);
});

test("every function is in the table, or takes nothing", () => {
  const names = Object.entries(tickwise).filter(([, value]) => typeof value === "function");
  const isTested = (name: string) => Object.keys(calls).some((call) => call.split(" ").includes(name));
  expect(names.map(([name]) => name).filter((name) => !isTested(name))).toEqual([
    "TickwiseError",
    "runHidden",
  ]);
});
