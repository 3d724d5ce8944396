import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { Loop } from "../loop.js";
import type { Easing } from "./course.js";
import { ramp, slowMotion } from "./ramp.js";
import { timeScale } from "./time-scale.js";

const EASINGS: readonly Easing[] = ["linear", "easeIn", "easeOut", "easeInOut"];
/** Frame lengths, in seconds. */
const FRAMES = [[1], [1 / 60], [0.006944444, 0.006944445], [0.001000003, 33e-9, 0.250000001]];

/** A loop whose steps are milliseconds, at some scale. */
function at(value: number) {
  const loop = new Loop({ rate: 1000, maxFrameTime: 100 });
  const scale = timeScale(loop);
  scale.set(value);
  return { loop, scale };
}

/** Advances in frames of some lengths. Returns the virtual seconds. */
function advance(loop: Loop, real: number, lengths: readonly number[]): number {
  const virtual = () => loop.time + loop.kernel.owed / loop.kernel.second;
  const before = virtual();
  for (let passed = 0, i = 0; passed < real; i++) {
    const length = Math.min(lengths[i % lengths.length]!, real - passed);
    loop.advance(length);
    expect(loop.frame.delta).toBeGreaterThanOrEqual(0);
    passed += length;
  }
  return virtual() - before;
}

test.each([
  ["linear", 0.5, 0.5],
  ["easeIn", 0.25, 1 / 3],
  ["easeOut", 0.75, 2 / 3],
  ["easeInOut", 0.5, 0.5],
] as const)("%s: half way, and the virtual time of a whole ramp from 0 to 1", (easing, half, whole) => {
  for (const frames of FRAMES) {
    const { loop, scale } = at(0);
    scale.set(ramp(1, 2, easing));
    const first = advance(loop, 1, frames);
    expect(scale.value).toBeCloseTo(half, 12);
    // The same sum whatever the frames were.
    expect(first + advance(loop, 1, frames)).toBeCloseTo(2 * whole, 10);
    expect(scale.value).toBe(1);
  }
});

test("every easing starts and ends at its scales, and never turns back", () => {
  for (const easing of EASINGS)
    for (const [from, to] of [
      [1, 0.2],
      [0.2, 3],
      [1, 0],
    ] as const) {
      const { loop, scale } = at(from);
      scale.set(ramp(to, 1, easing));
      expect(scale.value).toBe(from);
      let before: number = from;
      for (let i = 0; i < 100; i++) {
        loop.advance(0.01);
        expect(Math.sign(scale.value - before)).not.toBe(Math.sign(from - to));
        before = scale.value;
      }
      expect(scale.value).toBe(to);
    }
});

describe("slow motion", () => {
  test("reaches its scale, stays, and returns to the speed before", () => {
    for (const frames of FRAMES) {
      const { loop, scale } = at(1);
      scale.set(slowMotion(0.2, 2, { easeIn: 0.5, easeOut: 1, easing: "linear" }));
      // 0.5 s at 0.6 on average, 0.5 s at 0.2, 1 s at 0.6.
      expect(advance(loop, 0.5, frames)).toBeCloseTo(0.3, 10);
      expect(scale.value).toBeCloseTo(0.2, 12);
      expect(advance(loop, 0.5, frames)).toBeCloseTo(0.1, 10);
      expect(scale.value).toBeCloseTo(0.2, 12);
      expect(advance(loop, 1, frames)).toBeCloseTo(0.6, 10);
      expect(scale.value).toBe(1);
    }
  });

  test("may consist of its parts, however their sum is rounded", () => {
    // 0.3 - 0.1 < 0.2, and 0.1 + 0.2 > 0.3.
    for (const options of [{ easeIn: 0.1, easeOut: 0.2 }, { easeIn: 0.3 }, { easeOut: 0.1 + 0.2 }]) {
      const { loop, scale } = at(1);
      scale.set(slowMotion(0.3, 0.3, { ...options, easing: "linear" }));
      expect(scale.value).toBe(options.easeIn === undefined ? 0.3 : 1);
      // 0.3 s at 0.65 on average.
      expect(advance(loop, 0.3, [1])).toBeCloseTo(0.195, 8);
      expect(scale.value).toBe(1);
    }
  });

  test("inside another one returns to the speed before both", () => {
    const { loop, scale } = at(0.5);
    scale.set(slowMotion(0.1, 1));
    expect(scale.value).toBe(0.1);
    expect(advance(loop, 0.5, [1])).toBeCloseTo(0.05, 12);
    scale.set(slowMotion(0.2, 1));
    expect(advance(loop, 2, [2])).toBeCloseTo(0.2 + 0.5, 12);
    expect(scale.value).toBe(0.5);
  });

  test("ends with a scale that is set, and with a reset", () => {
    const { loop, scale } = at(1);
    scale.set(slowMotion(0.1, 1));
    scale.set(2);
    expect(advance(loop, 2, [2])).toBe(4);
    scale.set(slowMotion(0.1, 1, { easeIn: 1 }));
    loop.advance(0.5);
    loop.reset();
    expect(scale.value).toBe(2);
  });
});

describe("rejects", () => {
  test("slow motion whose parts are longer than the whole", () => {
    expect(() => slowMotion(0.5, 1, { easeIn: 0.6, easeOut: 0.6 })).toThrow(
      errorWith(
        "bad-value",
        "slowMotion: easeOut must be a number from 0 to seconds − easeIn (0.4), got 0.6.",
      ),
    );
    expect(() => slowMotion(0.3, 0.3, { easeIn: 0.1, easeOut: 0.21 })).toThrow(
      errorWith("bad-value", "seconds − easeIn (0.2)"),
    );
    expect(() => slowMotion(0.3, 0.3, { easeIn: 0.31 })).toThrow(errorWith("bad-value", "easeIn"));
  });

  test("other options and easings", () => {
    expect(() => slowMotion(0.3, 0.3, { easeIn: "0.1" as never })).toThrow(errorWith("bad-value", "easeIn"));
    expect(() => slowMotion(0.5, 1, { ease: 1 } as never)).toThrow(errorWith("unknown-option"));
    expect(() => ramp(0.5, 1, "ease" as never)).toThrow(errorWith("bad-value", "ramp: easing must be"));
    expect(() => ramp(0.5, 1, "toString" as never)).toThrow(errorWith("bad-value"));
  });
});
