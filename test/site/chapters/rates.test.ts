import { expect, test } from "vitest";
import { PIECE, RATES, Score } from "../../../site/src/chapters/rates/model.js";

/** Plays for some seconds, and returns when each note of each voice was played. */
function play(isFixed: boolean, milliseconds: number, seconds: number): Map<number, number>[] {
  const score = new Score(isFixed, milliseconds);
  score.advance(seconds);
  return score.voices.map((voice) => {
    const times = new Map<number, number>();
    voice.each(-1, seconds, (time, number) => times.set(number, time));
    return times;
  });
}

test("timers wait for whole milliseconds: physics at 62.5 per second, the network at 30.3", () => {
  const [physics, network, ai] = play(false, 0, 4) as [
    Map<number, number>,
    Map<number, number>,
    Map<number, number>,
  ];
  expect(physics.get(125)).toBeCloseTo(2, 9);
  expect(network.get(100)).toBeCloseTo(3.3, 9);
  expect(ai.get(12)).toBeCloseTo(3, 9);
});

test("late timers add up: late by 2 ms on average, note 120 of physics comes after 120 × 18 ms", () => {
  const [physics] = play(false, 4, 4);
  // The standard deviation of the sum is √120 × 4 ms / √12 = 13 ms.
  expect(Math.abs(physics!.get(120)! - 2.16)).toBeLessThan(0.05);
});

test.each([0, 4, 10])("beats keep their time with callbacks that are %i ms late", (milliseconds) => {
  // A little later, so that the late callbacks of 4.9 s have run.
  const voices = play(true, milliseconds, 4.912);
  voices.forEach((times, i) => {
    expect(times.size).toBe(Math.floor(4.91 * RATES[i]!) + 1);
    for (const [number, time] of times) {
      const off = time - number / RATES[i]!;
      expect(off).toBeGreaterThan(-1e-6);
      expect(off).toBeLessThanOrEqual(milliseconds / 1000 + 1e-6);
    }
  });
});

test("beats run in the frame of their step", () => {
  const [physics, network, ai] = play(true, 10, 4) as Map<number, number>[];
  for (const [number, time] of network!) expect(time).toBe(physics!.get(2 * number));
  for (const [number, time] of ai!) expect(time).toBe(physics!.get(15 * number));
});

test("all voices begin again with each piece", () => {
  const score = new Score(false, 0);
  score.advance(PIECE - 0.01);
  expect(score.track.shownOf(score.track.frames - 1)).toBeGreaterThan(100);
  score.advance(PIECE + 0.051);
  // Notes at 0, 16, 32 and 48 ms; at 0 and 33 ms; and at 0.
  expect(score.voices.map(({ count }) => count)).toEqual([4, 2, 1]);
});
