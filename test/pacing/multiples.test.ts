import { describe, expect, test } from "vitest";
import { perRefresh, stolk, STOLK_RATE } from "../../scenes/pacing.js";
import { CLOCKS, speedScore } from "../../scenes/score.js";

/** Seconds until the slowest measurement of a rate has ended. */
const FROM = 6;
const on = (refresh: number, clock: keyof typeof CLOCKS) => ({
  ...CLOCKS[clock],
  refresh,
  seconds: 20,
  seed: refresh,
});

describe("Stolk's method", () => {
  test.each([
    [60, 4 / 4],
    [75, 3 / 3.2],
    [100, 2 / 2.4],
    [120, 2 / 2],
    [144, 2 / (5 / 3)],
    [165, 1 / (16 / 11)],
    [240, 1 / 1],
  ])("at %i Hz, the game runs at %f of its speed, evenly on a good clock", (refresh, expected) => {
    const { speed, rms } = speedScore(stolk, STOLK_RATE, on(refresh, "chrome"), FROM);
    expect(speed).toBeCloseTo(expected, 4);
    expect(rms).toBeLessThan(1e-9);
  });

  test("is uneven where a coarse clock decides between two numbers of steps", () => {
    expect(speedScore(stolk, STOLK_RATE, on(165, "coarse"), FROM).rms).toBeGreaterThan(0.2);
    expect(speedScore(stolk, STOLK_RATE, on(144, "coarse"), FROM).rms).toBeGreaterThan(0.1);
  });
});

test("whole steps per refresh run at the right speed and move perfectly evenly on every display and clock", () => {
  for (const clock of Object.keys(CLOCKS) as (keyof typeof CLOCKS)[])
    for (const refresh of [60, 59.94, 75, 100, 120, 144, 165, 240]) {
      const steps = Math.max(1, Math.round(STOLK_RATE / refresh));
      const pacing = perRefresh(steps, { maxFrameTime: 10 });
      const { speed, rms } = speedScore(pacing, steps * refresh, on(refresh, clock), FROM);
      expect(rms, `${refresh} Hz, ${clock}`).toBeLessThan(1e-6);
      expect(Math.abs(speed - 1), `${refresh} Hz, ${clock}`).toBeLessThan(0.001);
    }
});
