import { describe, expect, test } from "vitest";
import { AudioDevice, type DeviceOptions } from "../../test/shared/audio-device.js";
import { changeRate, Loop, ramp, speedOf, timeScale } from "../index.js";
import { play, simulation } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { manualDriver, manualLoop } from "../testing/index.js";
import { audioClock, type AudioClockOptions } from "./index.js";

const SAMPLE = 1 / 48_000;

/** A loop on a display with 60 Hz and a sound card, both for some seconds already. */
function setUp(options: AudioClockOptions = { delay: 0.1 }, card: DeviceOptions = { output: "chromium" }) {
  const loop = manualLoop({ rate: 60 });
  const { driver } = loop;
  const device = new AudioDevice(() => driver.time, card);
  const clock = audioClock(device, loop, options);
  const frames = (count: number) => {
    for (let i = 0; i < count; i++) loop.driver.wait(1 / 60);
  };
  frames(300);
  /** The context time that is heard when shown time is `seconds`, at this speed. */
  const heardAt = (seconds: number) =>
    device.heardAt(loop.driver.time + ((seconds - loop.frame.shownTime) / speedOf(loop)) * 1000);
  return { loop, device, clock, frames, heardAt };
}

describe("timeOf", () => {
  test("is when the tick is heard, plus the delay, on a sample", () => {
    const { loop, clock, heardAt } = setUp();
    for (let tick = loop.tick; tick < loop.tick + 60; tick++) {
      const time = clock.timeOf(tick);
      expect(Math.abs(time - heardAt(tick / 60) - 0.1)).toBeLessThan(0.0002);
      expect(time / SAMPLE).toBeCloseTo(Math.round(time / SAMPLE), 6);
    }
    expect(clock.late).toBe(0);
  });

  test("follows slow motion, and ramps to it", () => {
    const { loop, clock, heardAt } = setUp();
    timeScale(loop).set(0.25);
    expect(Math.abs(clock.timeOf(loop.tick + 30) - heardAt((loop.tick + 30) / 60) - 0.1)).toBeLessThan(
      0.0002,
    );
    timeScale(loop).set(1);
    const before = clock.timeOf(loop.tick + 30);
    timeScale(loop).set(ramp(0, 1));
    expect(clock.timeOf(loop.tick + 30)).toBeGreaterThan(before + 0.1);
    // The ramp ends at tick 30.
    expect(clock.timeOf(loop.tick + 31)).toBe(Infinity);
  });

  test("is never in the past, and counts what comes too late", () => {
    const { loop, device, clock } = setUp({ delay: -0.2 });
    expect(clock.timeOf(loop.tick)).toBeGreaterThanOrEqual(device.currentTime);
    expect(clock.timeOf(loop.tick) - device.currentTime).toBeLessThan(SAMPLE);
    expect(clock.late).toBe(2);
  });

  test("is Infinity for the future of a paused game, but not for what is shown", () => {
    const { loop, clock, frames } = setUp();
    loop.pause();
    expect(clock.timeOf(loop.tick + 1)).toBe(Infinity);
    expect(clock.timeOf(loop.tick - 1)).toBeLessThan(Infinity);
    frames(2);
    loop.resume();
    expect(clock.timeOf(loop.tick + 1)).toBeLessThan(Infinity);
    timeScale(loop).set(0);
    expect(clock.timeOf(loop.tick + 1)).toBe(Infinity);
    expect(clock.timeOfShown(loop.frame.shownTime)).toBeLessThan(Infinity);
  });

  test("is Infinity while the context does not run", () => {
    const { loop, device, clock, frames } = setUp();
    device.suspend();
    expect([clock.isRunning, clock.timeOf(loop.tick)]).toEqual([false, Infinity]);
    frames(100);
    device.resume();
    frames(1);
    expect([clock.isRunning, clock.timeOf(loop.tick)]).toEqual([true, expect.closeTo(device.currentTime, 0)]);
  });
});

test("after a change of the rate, ticks and shown times are those of the loop", () => {
  const { loop, clock, frames, heardAt } = setUp();
  changeRate(loop, 30);
  frames(30);
  const shown = loop.time + 20 / 30;
  expect(Math.abs(clock.timeOf(loop.tick + 20) - heardAt(shown) - 0.1)).toBeLessThan(0.0002);
  expect(Math.abs(clock.timeOfShown(shown) - heardAt(shown) - 0.1)).toBeLessThan(0.0002);
  loop.pause();
  expect(clock.timeOf(loop.tick - 1)).toBeLessThan(Infinity);
});

test("timeOfShown lies between ticks, and shownAt is its inverse", () => {
  const { loop, clock } = setUp();
  const [from, to] = [clock.timeOf(loop.tick + 6), clock.timeOf(loop.tick + 7)];
  const middle = clock.timeOfShown((loop.tick + 6.5) / 60);
  expect(Math.abs(middle - (from + to) / 2)).toBeLessThan(2 * SAMPLE);
  expect(Math.abs(clock.shownAt(middle) * 60 - (loop.tick + 6.5))).toBeLessThan(0.01);
  timeScale(loop).set(0.5);
  const slow = clock.timeOfShown((loop.tick + 6.5) / 60);
  expect(slow).toBeGreaterThan(middle + 0.05);
  expect(Math.abs(clock.shownAt(slow) * 60 - (loop.tick + 6.5))).toBeLessThan(0.01);
});

test("timeAt and timestampAt say what is heard when", () => {
  const { loop, device, clock } = setUp();
  const { time } = loop.driver;
  expect(Math.abs(clock.timeAt(time - 50) - device.heardAt(time - 50))).toBeLessThan(0.0002);
  expect(clock.timestampAt(clock.timeAt(time - 50))).toBeCloseTo(time - 50, 6);
});

test("by default, the delay is what the output takes, plus 25 ms", () => {
  const { clock } = setUp({}, { output: "chromium", latency: 80, burst: 20 });
  expect(Math.abs(clock.latency - 0.08)).toBeLessThan(0.001);
  expect(clock.delay).toBeCloseTo(clock.latency + 0.025, 12);
});

test("the drift of the sound card is measured", () => {
  const { clock, frames } = setUp({}, { output: "chromium", drift: 80e-6 });
  frames(600);
  expect(Math.abs(clock.drift - 80e-6)).toBeLessThan(20e-6);
});

test("another driver may have another clock", () => {
  const { loop, device, clock } = setUp({ delay: 0.1 }, { output: "none", burst: 1 });
  const other = manualDriver(1e6);
  const { time } = loop.driver;
  // The card goes on by the old clock.
  const old = loop.driver;
  loop.start(other);
  for (let i = 0; i < 30; i++) {
    old.spend(1 / 60);
    other.wait(1 / 60);
  }
  expect(Math.abs(clock.timeAt(1e6 + 500) - device.heardAt(time + 500))).toBeLessThan(0.002);
});

describe("timeOfEffect", () => {
  test("is when the step's state is shown, or a fraction of the step before", () => {
    const { loop, clock } = setUp();
    const tick = loop.tick + 3;
    const [from, to] = [clock.timeOf(tick), clock.timeOf(tick + 1)];
    expect(clock.timeOfEffect({ tick })).toBe(to);
    expect(clock.timeOfEffect({ tick }, 0)).toBe(from);
    expect(Math.abs(clock.timeOfEffect({ tick }, 0.25) - from - (to - from) / 4)).toBeLessThanOrEqual(
      1.01 * SAMPLE,
    );
  });

  const state = layout({ x: f64 });
  const beeping = simulation({
    name: "beeping",
    version: 1,
    rate: 60,
    state,
    effects: { beep: { x: f64 } },
    step(_, __, { tick, emit }) {
      if (tick % 5 === 0) emit("beep", { x: tick });
    },
  });

  test("spreads the effects of a long frame evenly", () => {
    const driver = manualDriver();
    const device = new AudioDevice(() => driver.time, { output: "chromium" });
    let times: number[] = [];
    const game = play(beeping, {
      driver,
      effect: (effect) => times.push(clock.timeOfEffect(effect)),
    });
    const clock = audioClock(device, game, { delay: 0.4 });
    driver.display(60, 4);
    times = [];
    driver.wait(0.25);
    driver.wait(0.25);
    expect(times).toHaveLength(6);
    for (let i = 1; i < times.length; i++)
      expect(Math.abs(times[i]! - times[i - 1]! - 5 / 60)).toBeLessThan(0.0002);
    expect(clock.late).toBe(0);
    game.dispose();
  });

  test("uses the ticks of the session, which may differ from those of the loop", () => {
    const driver = manualDriver();
    const device = new AudioDevice(() => driver.time, { output: "chromium" });
    const heard: [at: number, time: number][] = [];
    const game = play(beeping, {
      driver,
      history: { seconds: 10 },
      effect: (effect) => heard.push([driver.time, clock.timeOfEffect(effect)]),
    });
    const clock = audioClock(device, game, { delay: 0.1 });
    driver.display(60, 4);
    game.session.seek(100);
    heard.length = 0;
    driver.display(60, 1);
    expect(heard.length).toBeGreaterThan(10);
    // In the frame that shows them, which is at most one frame after the moment itself.
    for (const [at, time] of heard) {
      const late = device.heardAt(at) + 0.1 - time;
      expect(late).toBeGreaterThan(-0.001);
      expect(late).toBeLessThan(1 / 60 + 0.001);
    }
    game.dispose();
  });
});

test("a disposed clock no longer listens", () => {
  const { loop, device, clock } = setUp();
  clock.dispose();
  let reads = 0;
  device.getOutputTimestamp = () => (reads++, { contextTime: 1, performanceTime: 1 });
  loop.driver.wait(1 / 60);
  expect(reads).toBe(0);
});

test("sounds of a steady rhythm are even, where sounds that start at once are not", () => {
  const driver = manualDriver();
  const device = new AudioDevice(() => driver.time, { output: "chromium" });
  const planned: number[] = [];
  const atOnce: number[] = [];
  const loop = new Loop({ rate: 50 });
  const clock = audioClock(device, loop);
  const waiting: number[] = [];
  loop.on("step", ({ tick }) => void (tick % 7 === 0 && waiting.push(tick)));
  // In the first frame that shows them, as sessions deliver effects.
  loop.on("render", ({ shownTime }) => {
    while (waiting.length > 0 && (waiting[0]! + 1) / 50 <= shownTime + 1e-9) {
      planned.push(clock.timeOfEffect({ tick: waiting.shift()! }));
      atOnce.push(device.currentTime);
    }
  });
  loop.start(driver);
  driver.display(60, 60);
  /** Milliseconds by which the longest and the shortest gap differ, after a second. */
  const unevenness = (times: number[]) => {
    const gaps = times.slice(10).map((time, i) => (time - times[i + 9]!) * 1000);
    return Math.max(...gaps) - Math.min(...gaps);
  };
  expect(unevenness(atOnce)).toBeCloseTo(20, 6);
  expect(unevenness(planned)).toBeLessThan(0.1);
  expect(clock.late).toBe(0);
});
