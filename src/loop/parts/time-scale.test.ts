import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { measure } from "./measure.js";
import { ramp, slowMotion } from "./ramp.js";
import { timeScale } from "./time-scale.js";
import { speedOf } from "./timestamps.js";

/** A loop whose steps are milliseconds. */
function milliseconds() {
  const loop = new Loop({ rate: 1000, maxFrameTime: 100 });
  return { loop, scale: timeScale(loop) };
}

/** Virtual seconds that have passed. */
const virtual = ({ time, kernel }: Loop) => time + kernel.owed / kernel.second;

test("there is one per loop", () => {
  const [one, other] = [new Loop({ rate: 60 }), new Loop({ rate: 60 })];
  expect(timeScale(one)).toBe(timeScale(one));
  expect(timeScale(one)).not.toBe(timeScale(other));
  expect(one.parts).toEqual([timeScale(one)]);
});

describe("a scale", () => {
  test("never changes dt, and is exact: 10 s at 0.3 and 60 Hz are 180 steps", () => {
    const loop = new Loop({ rate: 60, step: ({ dt }) => expect(dt).toBe(1 / 60) });
    timeScale(loop).set(0.3);
    for (let i = 0; i < 600; i++) loop.advance(1 / 60);
    expect([loop.tick, loop.kernel.owed]).toEqual([180, 0]);
  });

  test("is stored in whole billionths, and fractions of a unit are carried over", () => {
    const { loop, scale } = milliseconds();
    scale.set(0.347712371);
    expect(scale.value).toBe(0.347712371);
    for (let i = 0; i < 1000; i++) loop.advance(0.001);
    expect(loop.tick * loop.kernel.step + loop.kernel.owed).toBe(347_712_371_000);
    scale.set(1 / 3);
    expect(scale.value).toBe(0.333333333);
  });

  test("of 0 stops the game without a pause", () => {
    const { loop, scale } = milliseconds();
    scale.set(0);
    loop.advance(1);
    expect([loop.tick, loop.lostSeconds, speedOf(loop), loop.paused]).toEqual([0, 0, 0, false]);
  });

  test("is not changed by a pause, which stops the speed", () => {
    const { loop, scale } = milliseconds();
    scale.set(0.5);
    expect([speedOf(loop), scale.value]).toEqual([0.5, 0.5]);
    loop.pause();
    expect([speedOf(loop), scale.value]).toEqual([0, 0.5]);
  });

  test("shows in the effective speed, and so does lost time", () => {
    const loop = new Loop({ rate: 60 });
    const figures = measure(loop);
    timeScale(loop).set(0.5);
    for (let i = 0; i < 100; i++) loop.advance(0.5);
    expect(figures.effectiveSpeed).toBeCloseTo(0.25, 9);
    expect(loop.lostSeconds).toBe(100 * 0.125);
  });

  test("that was set before the start stays, and so do slow motion and hit-stop", () => {
    const loop = new Loop({ rate: 60 });
    timeScale(loop).set(slowMotion(0.5, 1));
    timeScale(loop).hitStop(0.1);
    loop.start({ start() {}, stop() {}, now: () => 0 });
    for (let i = 0; i < 6; i++) loop.advance(1 / 60);
    expect([loop.tick, speedOf(loop)]).toEqual([0, 0.5]);
    for (let i = 0; i < 60; i++) loop.advance(1 / 60);
    expect([loop.tick, speedOf(loop)]).toEqual([30, 1]);
  });

  test("runs the same steps as full speed, bit for bit", () => {
    const steps = (scale: number) => {
      const seen: unknown[] = [];
      const loop = new Loop({ rate: [60_000, 1001], step: (info) => void seen.push({ ...info }) });
      timeScale(loop).set(scale);
      while (seen.length < 100) loop.advance(0.013);
      return seen.slice(0, 100);
    };
    expect(steps(0.347)).toEqual(steps(1));
    expect(steps(17)).toEqual(steps(1));
  });
});

describe("a ramp", () => {
  test("is linear in real time, from the present scale on", () => {
    const { loop, scale } = milliseconds();
    scale.set(ramp(0, 2));
    loop.advance(1);
    expect([loop.tick, scale.value]).toEqual([750, 0.5]);
    scale.set(ramp(1, 1));
    expect(scale.value).toBe(0.5);
    loop.advance(1);
    expect([loop.tick, scale.value]).toEqual([1500, 1]);
  });

  test("may end within a frame", () => {
    const { loop, scale } = milliseconds();
    scale.set(ramp(3, 1));
    loop.advance(2);
    expect([loop.tick, scale.value]).toEqual([5000, 3]);
  });

  test("of no length is a new scale", () => {
    const { loop, scale } = milliseconds();
    scale.set(ramp(3, 0));
    expect(scale.value).toBe(3);
    loop.advance(1);
    expect(loop.tick).toBe(3000);
  });

  test("does not move while paused", () => {
    const { loop, scale } = milliseconds();
    scale.set(ramp(0, 1));
    loop.pause();
    loop.advance(1);
    loop.resume();
    expect(scale.value).toBe(1);
  });
});

describe("pace", () => {
  test("multiplies any scale, also along a ramp, and carries fractions over", () => {
    const { loop, scale } = milliseconds();
    scale.set(0.5);
    scale.pace = 1.05;
    expect([scale.value, scale.pace, speedOf(loop)]).toEqual([0.5, 1.05, 0.525]);
    for (let i = 0; i < 1000; i++) loop.advance(0.001);
    expect(virtual(loop)).toBe(0.525);
    const ramped = milliseconds();
    ramped.scale.set(ramp(0, 2));
    ramped.scale.pace = 1.1;
    ramped.loop.advance(2);
    expect(virtual(ramped.loop)).toBeCloseTo(1.1, 12);
  });

  test.each([0, 0.49, 2.1, NaN, "1", undefined])("cannot be %s", (pace) => {
    expect(() => (milliseconds().scale.pace = pace as number)).toThrow(
      errorWith("bad-value", "TimeScale.pace must be a number from 0.5 to 2, got"),
    );
  });
});

describe("unscale", () => {
  test.each([
    [1, 2, 2],
    [0.5, 2, 4],
    [0, 2, Infinity],
    [0, -1, Infinity],
    [2, -1, -0.5],
  ])("at scale %d, %d virtual seconds take %d real ones", (value, seconds, real) => {
    const { scale } = milliseconds();
    scale.set(value);
    expect(scale.unscale(seconds)).toBe(real);
  });

  test("is the inverse of scale through hit-stop, ramps and slow motion", () => {
    for (const easing of ["linear", "easeIn", "easeOut", "easeInOut"] as const)
      for (const seconds of [0.01, 0.2, 0.3, 0.55, 0.7, 2]) {
        const { loop, scale } = milliseconds();
        scale.set(slowMotion(0.25, 1.5, { easeIn: 0.3, easeOut: 0.6, easing }));
        scale.hitStop(0.125);
        const real = scale.unscale(seconds);
        for (let at = 0; at < real; at += 0.007) loop.advance(Math.min(0.007, real - at));
        expect(virtual(loop)).toBeCloseTo(seconds, 8);
      }
  });

  test("a ramp to 0 never gets further", () => {
    const { scale } = milliseconds();
    scale.set(ramp(0, 1));
    expect(scale.unscale(0.5)).toBeCloseTo(1, 6);
    expect(scale.unscale(0.500001)).toBe(Infinity);
  });
});

test("a scale counts in the time of a driver as by hand", () => {
  const loop = manualLoop({ rate: 50 });
  timeScale(loop).set(2);
  loop.driver.play([1000, 1050]);
  expect([loop.tick, loop.frame.realDelta, loop.frame.delta]).toEqual([5, 0.05, 0.1]);
});

test.each([undefined, null, "1", NaN, -1, 1e300, Infinity, {}, { begin: 1 }])(
  "set(%o) is refused",
  (value) => {
    const { scale } = milliseconds();
    expect(() => scale.set(value as number)).toThrow(
      errorWith("bad-value", "TimeScale.set: scale must be a number from 0 to 1000, got"),
    );
    expect(scale.value).toBe(1);
  },
);

test("timeScale needs a loop", () => {
  expect(() => timeScale({} as never)).toThrow(
    "timeScale: loop must be a Loop, got {}. Try new Loop({ rate: 60 }).",
  );
});
