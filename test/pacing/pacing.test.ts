import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { displayFrames, type DisplayOptions } from "../../scenes/display.js";
import { judder, judderOf } from "../../scenes/judder.js";
import {
  irregular,
  meanOfFour,
  onDisplay,
  oracle,
  plainNow,
  plainRaf,
  rateOf,
  tickwise,
} from "../../scenes/pacing.js";
import {
  CLOCKS,
  drift,
  inputToPhoton,
  irregularPerMinute,
  pooledRms,
  RATES,
  recovery,
  REFRESHES,
  score,
} from "../../scenes/score.js";
import { Loop, measure } from "../../src/index.js";

// Simulated displays are seeded, so all figures here are the same on every run.

/** Clocks whose timestamps are those of the refreshes. */
const ON_TIME = { chrome: CLOCKS.chrome, firefox: CLOCKS.firefox, coarse: CLOCKS.coarse };
const SEEDS = FULL ? [1, 2, 3, 4, 5] : [1, 2];

describe.each(Object.entries(ON_TIME))("on the clock of %s", (_, clock) => {
  test.each(REFRESHES)("the picture moves evenly at %f Hz", (refresh) => {
    for (const rate of RATES)
      for (const seed of SEEDS) {
        const { rms, p99, worst } = score(tickwise, rate, { ...clock, refresh, seconds: 20, seed });
        const what = `${rate} steps a second, seed ${seed}`;
        expect(rms, what).toBeLessThan(0.005);
        expect(p99, what).toBeLessThan(0.01);
        expect(worst, what).toBeLessThan(0.02);
      }
  });

  test("with dropped frames, motion is as even as with a known display", () => {
    for (const refresh of REFRESHES) {
      const options = { ...clock, refresh, seconds: 60, drops: 0.01, seed: refresh };
      expect(score(tickwise, 60, options).rms).toBeLessThan(score(oracle, 60, options).rms + 0.001);
    }
  });

  test.each<[string, number, Pick<DisplayOptions, "refresh" | "changes" | "stalls">]>([
    ["60 to 144 Hz", 4, { refresh: 60, changes: [[4, 144]] }],
    ["144 to 60 Hz", 4, { refresh: 144, changes: [[4, 60]] }],
    ["a stall of 300 ms", 4.3, { refresh: 60, stalls: [[4, 0.3]] }],
  ])("recovers from %s within 150 ms", (_, moment, what) => {
    for (const seed of SEEDS)
      for (const rate of [50, 60]) {
        const options = { ...clock, ...what, seconds: 8, seed };
        const best = recovery(oracle, rate, moment, options);
        expect(recovery(tickwise, rate, moment, options)).toBeLessThan(best + 150);
      }
  });

  test("steps are as regular as the rates allow", () => {
    for (const seed of SEEDS) {
      expect(irregularPerMinute(tickwise, 60, { ...clock, refresh: 60, seed })).toBe(0);
      expect(irregularPerMinute(tickwise, 120, { ...clock, refresh: 60, seed })).toBe(0);
      // 3.6 steps per minute too many or too few.
      expect(irregularPerMinute(tickwise, 60, { ...clock, refresh: 59.94, seed })).toBeLessThanOrEqual(4);
      expect(irregularPerMinute(tickwise, 60, { ...clock, refresh: 60.06, seed })).toBeLessThanOrEqual(4);
    }
  });
});

test("is far more even than a plain loop", () => {
  for (const clock of Object.values(CLOCKS)) {
    const [ours, stamps, now, mean] = [tickwise, plainRaf, plainNow, meanOfFour].map((pacing) =>
      pooledRms(pacing, clock, 10),
    ) as [number, number, number, number];
    expect(ours).toBeLessThan(stamps / 9);
    expect(ours).toBeLessThan(now / 9);
    expect(ours).toBeLessThan(mean / 2);
  }
});

test("is even up to 120 Hz with late timestamps on a 1 ms grid", () => {
  for (const refresh of [60, 59.94, 75, 120])
    expect(score(tickwise, 60, { ...CLOCKS.late, refresh, seconds: 60, seed: 7 }).rms).toBeLessThan(0.003);
});

test("60 steps on 60 Hz, ±0.5 ms, on any grid: each frame runs one step", () => {
  for (const grid of [0, 0.001, 0.1, 1])
    for (const seed of SEEDS)
      for (const jitter of [0, 0.5]) {
        const frames = displayFrames({ refresh: 60, grid, jitter, seed, seconds: 120 });
        expect(
          tickwise(frames, 60)
            .steps.slice(1)
            .every((steps) => steps === 1),
        ).toBe(true);
      }
});

test("59.94 Hz, ±0.5 ms, two minutes: only the 7 unavoidable frames differ", () => {
  for (const seed of SEEDS) {
    const frames = displayFrames({ refresh: 59.94, jitter: 0.5, grid: 0.1, seed, seconds: 120 });
    expect(irregular(frames, tickwise(frames, 60).steps, 60)).toBeLessThanOrEqual(7);
  }
});

/** Minutes without a drift. */
const MINUTES = FULL ? 60 : 20;
test(`does not drift in ${MINUTES} minutes`, () => {
  for (const [refresh, rate] of [
    [59.94, 60],
    [144, 50],
    [60, 60],
  ] as const)
    for (const clock of [CLOCKS.chrome, CLOCKS.late])
      expect(Math.abs(drift(tickwise, rate, { ...clock, refresh, seconds: 60 * MINUTES }))).toBeLessThan(
        500 / rate,
      );
});

test("saves one step of latency, 60 steps on 60 Hz", () => {
  const options = { ...CLOCKS.chrome, refresh: 60, seconds: 60 };
  expect(inputToPhoton(tickwise, 60, options)).toBeLessThan(26);
  expect(inputToPhoton(oracle, 60, options)).toBeGreaterThan(31);
});

test("follows a variable display after a few wrong locks", () => {
  for (const seed of SEEDS) {
    const frames = displayFrames({ refresh: [48, 144], grid: 0.1, seconds: 60, seed });
    const rms = (pacing: typeof tickwise, from: number) => {
      const { shown } = pacing(frames, 60);
      return judder(judderOf(frames.slice(from), shown.slice(from))).rms;
    };
    expect(rms(tickwise, 1000)).toBeLessThan(rms(plainRaf, 1000) + 0.001);
    expect(rms(tickwise, 0)).toBeLessThan(rms(plainRaf, 0) + 0.02);
  }
});

describe("real frames", () => {
  const trace = (name: string): number[] =>
    JSON.parse(readFileSync(new URL(`../../scenes/traces/${name}.json`, import.meta.url), "utf8")).T;

  /** The judder and the irregular steps of a trace, by the lattice that fits it best. */
  function play(name: string) {
    const stamps = trace(name);
    const { loop, screen } = onDisplay({ rate: 60 });
    const stats = measure(loop, () => 0);
    const errors: number[] = [];
    let irregular = 0;
    const period = 1000 / 60;
    stamps.forEach((stamp, i) => {
      const { tick } = loop;
      const { shownTime } = loop.frame;
      screen.play([stamp]);
      if (i === 0) return;
      const refreshes = Math.max(1, Math.round((stamp - stamps[i - 1]!) / period));
      if (loop.tick - tick !== refreshes) irregular++;
      if (i > 60) errors.push(((loop.frame.shownTime - shownTime) * 1000) / period - refreshes);
    });
    return { irregular, judder: judder(Float64Array.from(errors)), stats };
  }

  test.each([
    ["chromium_idle_1", 0],
    ["chromium_load2", 5],
  ])("%s: 60 on 60 is one step a refresh, and even", (name, missed) => {
    const { irregular, judder, stats } = play(name);
    expect(irregular).toBe(0);
    expect(judder.rms).toBeLessThan(0.005);
    expect(judder.worst).toBeLessThan(0.01);
    expect(stats.droppedFrames).toBeGreaterThanOrEqual(missed);
  });

  test.each(["chromium_idle_1", "chromium_load2", "firefox_idle"])(
    "%s: at twice the display's rate, each refresh runs two steps",
    (name) => {
      const stamps = trace(name);
      const { hertz, after, screen } = rateOf(stamps);
      const loop = new Loop({ rate: 2 * hertz });
      loop.start(screen);
      const first = stamps.findIndex((stamp) => stamp - stamps[0]! > after * 1000);
      let refreshes = 0;
      for (const [i, stamp] of stamps.entries()) {
        if (i < first) continue;
        screen.play([stamp]);
        if (i > first) refreshes += Math.round(((stamp - stamps[i - 1]!) * 60) / 1000);
      }
      expect(refreshes).toBeGreaterThan(240);
      expect(loop.tick).toBe(2 * refreshes);
    },
  );

  test("firefox_idle: one step per refresh; one bad timestamp in ten seconds", () => {
    const { irregular, judder } = play("firefox_idle");
    expect(irregular).toBe(0);
    expect(judder.rms).toBeLessThan(0.01);
  });

  test("webkitgtk_idle has no lattice, and keeps time", () => {
    const stamps = trace("webkitgtk_idle");
    const { loop, screen } = onDisplay({ rate: 60 });
    screen.play(stamps);
    const seconds = (stamps.at(-1)! - stamps[0]!) / 1000;
    expect(Math.abs(loop.frame.shownTime - seconds)).toBeLessThan(1 / 60);
  });
});
