import { expect, test } from "vitest";
import { ramp } from "./ramp.js";
import type { Easing } from "./easing.js";
import { slowMotion } from "./slow-motion.js";
import { TimeScale } from "./time-scale.js";

const SECOND = 1e9;
const EASINGS: readonly Easing[] = ["linear", "easeIn", "easeOut", "easeInOut"];

/** Advances in frames of some lengths, in nanoseconds, and returns the virtual time. */
function advance(clock: TimeScale, real: number, lengths: readonly number[]): number {
  let virtual = 0;
  for (let at = 0, i = 0; at < real; i++) {
    const length = Math.min(lengths[i % lengths.length]!, real - at);
    const moved = clock.advance(length);
    expect(moved).toBeGreaterThanOrEqual(0);
    virtual += moved;
    at += length;
  }
  return virtual;
}

const FRAMES = [[SECOND], [16_666_667], [6_944_444, 6_944_445], [1_000_003, 33, 250_000_001]];

test.each([
  ["linear", 0.5, 0.5],
  ["easeIn", 0.25, 1 / 3],
  ["easeOut", 0.75, 2 / 3],
  ["easeInOut", 0.5, 0.5],
] as const)("%s: half way, and the virtual time of a whole ramp from 0 to 1", (easing, half, whole) => {
  for (const frames of FRAMES) {
    const clock = new TimeScale();
    clock.setScale("test", 0);
    clock.setScale("test", ramp(1, 2, easing));
    const first = advance(clock, SECOND, frames);
    expect(clock.scale).toBe(half);
    // The same sum whatever the frames were.
    expect(first + advance(clock, SECOND, frames)).toBe(Math.round(2 * SECOND * whole));
    expect(clock.scale).toBe(1);
    expect(clock.plain).toBe(true);
  }
});

test("every easing starts and ends at its scales, and never turns back", () => {
  for (const easing of EASINGS)
    for (const [from, to] of [
      [1, 0.2],
      [0.2, 3],
      [1, 0],
    ] as const) {
      const clock = new TimeScale();
      clock.setScale("test", from);
      clock.setScale("test", ramp(to, 1, easing));
      expect(clock.scale).toBe(from);
      let before: number = from;
      for (let i = 0; i < 100; i++) {
        clock.advance(SECOND / 100);
        expect(Math.sign(clock.scale - before)).not.toBe(Math.sign(from - to));
        before = clock.scale;
      }
      expect(clock.scale).toBe(to);
    }
});

test("slow motion reaches its scale, stays, and returns to the speed before", () => {
  for (const frames of FRAMES) {
    const clock = new TimeScale();
    clock.setScale("test", slowMotion(0.2, 2, { easeIn: 0.5, easeOut: 1, easing: "linear" }));
    // 0.5 s at 0.6 on average, 0.5 s at 0.2, 1 s at 0.6.
    const first = advance(clock, SECOND / 2, frames);
    expect([first, clock.scale]).toEqual([0.3 * SECOND, 0.2]);
    expect(advance(clock, SECOND / 2, frames)).toBe(0.1 * SECOND);
    expect(clock.scale).toBe(0.2);
    expect(advance(clock, SECOND, frames)).toBe(0.6 * SECOND);
    expect(clock.plain).toBe(true);
  }
});

test("parts of slow motion may fill it, however their sum is rounded", () => {
  // 0.3 - 0.1 < 0.2, and 0.1 + 0.2 > 0.3.
  for (const options of [{ easeIn: 0.1, easeOut: 0.2 }, { easeIn: 0.1 + 0.2 }, { easeOut: 0.1 + 0.2 }]) {
    const clock = new TimeScale();
    clock.setScale("test", slowMotion(0.3, 0.3, { ...options, easing: "linear" }));
    const isAtOnce = options.easeIn === undefined;
    expect(clock.scale).toBe(isAtOnce ? 0.3 : 1);
    // 0.3 s at 0.65 on average.
    expect(clock.advance(0.3 * SECOND)).toBe(0.195 * SECOND);
    expect(clock.plain).toBe(true);
  }
});

test("slow motion at once, and one inside another", () => {
  const clock = new TimeScale();
  clock.setScale("test", 0.5);
  clock.setScale("test", slowMotion(0.1, 1));
  expect(clock.scale).toBe(0.1);
  expect(clock.advance(SECOND / 2)).toBe(0.05 * SECOND);
  // The second one returns to 0.5, not to the 0.1 of the first.
  clock.setScale("test", slowMotion(0.2, 1));
  expect(clock.advance(2 * SECOND)).toBe((0.2 + 0.5) * SECOND);
  expect(clock.scale).toBe(0.5);
});

test("a scale that is set ends slow motion, and so does reset", () => {
  const clock = new TimeScale();
  clock.setScale("test", slowMotion(0.1, 1));
  clock.setScale("test", 2);
  expect(clock.advance(2 * SECOND)).toBe(4 * SECOND);
  clock.setScale("test", slowMotion(0.1, 1, { easeIn: 1 }));
  clock.reset();
  expect(clock.scale).toBe(2);
});

test("a hit-stop freezes, lets ramps wait, and ends exactly", () => {
  for (const frames of FRAMES) {
    const clock = new TimeScale();
    clock.setScale("test", ramp(0, 1));
    clock.stopFor(0.1 * SECOND);
    expect([clock.isStopped, clock.plain, clock.scale]).toEqual([true, false, 1]);
    expect(advance(clock, 0.1 * SECOND, frames)).toBe(0);
    expect([clock.isStopped, clock.scale]).toEqual([false, 1]);
    expect(advance(clock, SECOND, frames)).toBe(0.5 * SECOND);
  }
});

test("of two hit-stops, the one that ends later counts; a pause holds it", () => {
  const clock = new TimeScale();
  clock.stopFor(0.1 * SECOND);
  clock.stopFor(0.05 * SECOND);
  clock.paused = true;
  clock.advance(SECOND);
  clock.paused = false;
  expect(clock.advance(0.15 * SECOND)).toBe(0.05 * SECOND);
  clock.stopFor(SECOND);
  clock.reset();
  expect(clock.plain).toBe(true);
});

test("realSecondsFor matches advance through hit-stop, ramps and slow motion", () => {
  for (const easing of EASINGS)
    for (const virtual of [0.01, 0.2, 0.3, 0.55, 0.7, 2]) {
      const clock = new TimeScale();
      clock.setScale("test", slowMotion(0.25, 1.5, { easeIn: 0.3, easeOut: 0.6, easing }));
      clock.stopFor(0.125 * SECOND);
      const real = clock.realSecondsFor(virtual);
      const moved = advance(clock, Math.round(real * SECOND), [7_000_001]);
      expect(Math.abs(moved - virtual * SECOND)).toBeLessThan(3);
    }
});
