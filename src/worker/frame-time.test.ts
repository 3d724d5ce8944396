import { expect, test } from "vitest";
import { random } from "../math/index.js";
import { FrameTime } from "./frame-time.js";

/** Returns the times of frames that a loop spaces evenly, though their callbacks are late by random times. */
function timesOf(frames: number, late: () => number, elapsed: number) {
  const time = new FrameTime();
  const at = new Float64Array(2);
  return Array.from({ length: frames }, (_, i) => {
    const now = 100 + (1000 * i) / 60 + late();
    at[0] = now;
    at[1] = elapsed;
    time.correct(at);
    return { now, time: at[0] };
  });
}

test("is even, and follows the most punctual frames", () => {
  const numbers = random(new Uint32Array(4)).seed(1);
  const times = timesOf(600, () => 3 * numbers.float() ** 2, 1000 / 60);
  const steps = times.slice(1).map(({ time }, i) => time - times[i]!.time);
  const clock = times.slice(1).map(({ now }, i) => now - times[i]!.now);
  const spread = (list: number[]) => Math.max(...list.slice(60)) - Math.min(...list.slice(60));
  expect(spread(clock)).toBeGreaterThan(4);
  expect(spread(steps)).toBeLessThan(0.7);
  for (const { now, time } of times) expect(time).toBeLessThanOrEqual(now);
  // Punctual frames are shown as they are.
  for (const { now, time } of times.slice(60)) expect(now - time).toBeLessThan(3.1);
});

test("is that of the clock, if no loop tells how much time has passed, or if the clock is far away", () => {
  for (const { now, time } of timesOf(50, () => 0.5, NaN)) expect(time).toBe(now);
  const far = timesOf(50, () => 0, 3);
  expect(far.every(({ now, time }) => now - time < 50)).toBe(true);
  for (let i = 1; i < far.length; i++) expect(far[i]!.time).toBeGreaterThanOrEqual(far[i - 1]!.time);
});
