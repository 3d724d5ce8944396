import { describe, expect, test } from "vitest";
import { displayFrames, type DisplayOptions } from "../../scenes/display.js";
import { judder, judderOf } from "../../scenes/judder.js";
import { irregular, oracle, paced, plainRaf } from "../../scenes/pacing.js";
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
import { LENGTHS, spellFrames, switchFrames } from "../../scenes/changing-displays.js";
import { randomFrames } from "../../scenes/display.js";
import { Loop, measure } from "../../src/loop/next/index.js";
import { manualLoop } from "../../src/testing/index.js";
import { FULL } from "../full.js";
import { manualScreen, onScreen } from "./manual.js";

const stamps = (options: DisplayOptions) => displayFrames(options).map(({ stamp }) => stamp);

/** The loop on a display, for the scores of scenes/score.ts. */
const ours = paced((rate) => {
  const { loop, play } = onScreen({ rate });
  return {
    get shownTime() {
      return loop.frame.shownTime;
    },
    get lead() {
      const { lead, step, second } = loop.kernel;
      return (lead + 1 - step) / second;
    },
    get tick() {
      return loop.tick;
    },
    driver: { play },
  };
});
const before = paced((rate) => manualLoop({ rate, pacing: "display" }));

const SEEDS = FULL ? [1, 2, 3, 4, 5] : [1, 2];
const ON_TIME = { chrome: CLOCKS.chrome, firefox: CLOCKS.firefox, coarse: CLOCKS.coarse };

describe.each(Object.entries(ON_TIME))("on the clock of %s", (_, clock) => {
  test.each(REFRESHES)("the picture moves evenly at %f Hz", (refresh) => {
    for (const rate of RATES)
      for (const seed of SEEDS) {
        const { rms, p99, worst } = score(ours, rate, { ...clock, refresh, seconds: 20, seed });
        const what = `${rate} steps per second, seed ${seed}`;
        expect(rms, what).toBeLessThan(0.005);
        expect(p99, what).toBeLessThan(0.01);
        expect(worst, what).toBeLessThan(0.02);
      }
  });

  test("with dropped frames, motion is as even as with a known display", () => {
    for (const refresh of REFRESHES) {
      const options = { ...clock, refresh, seconds: 60, drops: 0.01, seed: refresh };
      expect(score(ours, 60, options).rms).toBeLessThan(score(oracle, 60, options).rms + 0.001);
    }
  });

  test.each<[string, number, Pick<DisplayOptions, "refresh" | "changes" | "stalls">]>([
    ["60 to 144 Hz", 4, { refresh: 60, changes: [[4, 144]] }],
    ["144 to 60 Hz", 4, { refresh: 144, changes: [[4, 60]] }],
    ["a stall of 300 ms", 4.3, { refresh: 60, stalls: [[4, 0.3]] }],
  ])("recovers from %s within 150 ms", (_name, moment, what) => {
    for (const seed of SEEDS)
      for (const rate of [50, 60]) {
        const options = { ...clock, ...what, seconds: 8, seed };
        expect(recovery(ours, rate, moment, options)).toBeLessThan(
          recovery(oracle, rate, moment, options) + 150,
        );
      }
  });

  test("steps are as regular as the rates allow", () => {
    for (const seed of SEEDS) {
      for (const refresh of [60, 120, 240])
        expect(irregularPerMinute(ours, refresh, { ...clock, refresh, seed })).toBe(0);
      expect(irregularPerMinute(ours, 120, { ...clock, refresh: 60, seed })).toBe(0);
      // 3.6 steps per minute too many or too few.
      expect(irregularPerMinute(ours, 60, { ...clock, refresh: 59.94, seed })).toBeLessThanOrEqual(4);
    }
  });
});

test("is at least as even as the loop before, on every clock", () => {
  for (const clock of Object.values(CLOCKS))
    expect(pooledRms(ours, clock, 10)).toBeLessThan(pooledRms(before, clock, 10) * 1.01);
});

test("with late timestamps, equal rates stay aligned after the first second", () => {
  for (const seed of SEEDS)
    for (const [refresh, max] of [
      [60, 0],
      [120, 0],
      [240, 10],
    ] as const) {
      const frames = displayFrames({ ...CLOCKS.late, refresh, seconds: 60, seed });
      const { steps, shown } = ours(frames, refresh);
      expect(irregular(frames.slice(refresh), steps.slice(refresh), refresh)).toBeLessThanOrEqual(max);
      expect(judder(judderOf(frames.slice(2 * refresh), shown.slice(2 * refresh))).rms).toBeLessThan(0.001);
    }
});

test("never much worse than plain timestamps: load, other displays, no display at all", () => {
  const rms = (pacing: typeof ours, frames: ReturnType<typeof displayFrames>) =>
    judder(judderOf(frames.slice(60), pacing(frames, 60).shown.slice(60))).rms;
  for (let seed = 1; seed <= (FULL ? 30 : 6); seed++)
    for (const clock of [CLOCKS.chrome, CLOCKS.coarse]) {
      const traces = [
        spellFrames(60, 30, clock, seed),
        switchFrames([60, 144], 30, clock, seed),
        displayFrames({ refresh: [48, 144], seconds: 30, ...clock, seed }),
        randomFrames(LENGTHS["uniform, 13 to 20"]!, 1500, clock, seed),
      ];
      for (const [i, frames] of traces.entries())
        expect(rms(ours, frames), `trace ${i}, seed ${seed}`).toBeLessThan(rms(plainRaf, frames) + 0.005);
    }
});

test("timestamps on a grid of 16.67 ms: even where none repeats, and dropped frames are still seen", () => {
  const rms = (refresh: number, drops = 0) => {
    const frames = displayFrames({ refresh, drops, grid: 100 / 6, seconds: 60, seed: 2 });
    return judder(judderOf(frames.slice(300), ours(frames, 60).shown.slice(300))).rms;
  };
  for (const refresh of [40, 48, 50, 55, 60, 75, 144])
    expect(rms(refresh), `${refresh} Hz`).toBeLessThan(0.001);
  const frames = displayFrames({ refresh: 60, drops: 0.05, grid: 100 / 6, seconds: 60, seed: 2 });
  const best = judder(judderOf(frames.slice(300), oracle(frames, 60).shown.slice(300))).rms;
  expect(rms(60, 0.05)).toBeLessThan(best + 0.001);
});

test("does not drift", () => {
  for (const [refresh, rate] of [
    [59.94, 60],
    [144, 50],
    [60, 60],
  ] as const)
    for (const clock of [CLOCKS.chrome, CLOCKS.late])
      expect(Math.abs(drift(ours, rate, { ...clock, refresh, seconds: FULL ? 3600 : 600 }))).toBeLessThan(
        500 / rate + 1000 / refresh / 2,
      );
});

test("saves one step of latency, 60 steps on 60 Hz", () => {
  const options = { ...CLOCKS.chrome, refresh: 60, seconds: 30 };
  expect(inputToPhoton(ours, 60, options)).toBeLessThan(inputToPhoton(plainRaf, 60, options) - 7);
});

test("at equal rates, the newest state is shown as soon as the display is recognised", () => {
  for (const hertz of [60, 120, 144]) {
    const alphas: number[] = [];
    const { play } = onScreen({ rate: hertz, render: ({ alpha }) => void alphas.push(alpha) });
    play(stamps({ refresh: hertz, seconds: 1, grid: 0.1 }));
    const first = alphas.indexOf(1);
    expect(first).toBeLessThan(9);
    expect(new Set(alphas.slice(first))).toEqual(new Set([1]));
  }
});

test("the time that the first frame takes to draw is not game time", () => {
  const seen: number[] = [];
  const { loop, play, spend } = onScreen({
    rate: 60,
    render: () => {
      if (seen.length === 0) spend(500);
      seen.push(loop.tick);
    },
  });
  play([0, 516.7, 533.3, 550]);
  expect(seen.at(-1)).toBeLessThanOrEqual(4);
});

test("runSteps and advance before the start do not change the pacing", () => {
  const { screen, play } = manualScreen();
  const loop = new Loop({ rate: 60 });
  loop.runSteps(3);
  loop.advance(0.01);
  loop.start(screen);
  const ticks: number[] = [];
  for (const stamp of stamps({ refresh: 60, seconds: 2, grid: 1 })) {
    play([stamp]);
    ticks.push(loop.tick);
  }
  const steps = ticks.slice(10).map((tick, i) => tick - ticks[i + 9]!);
  expect(new Set(steps)).toEqual(new Set([1]));
  expect(loop.frame.alpha).toBe(1);
});

describe("the display's rate", () => {
  /** The rate that a display finds, and how far it got. */
  async function rateOf(options: DisplayOptions) {
    const { screen, play } = manualScreen();
    const found = screen.rate();
    play(stamps(options));
    return { hertz: await found, screen, play };
  }

  test.each([60, 59.94, 75, 120, 144, 240])("%f Hz is found within two seconds", async (refresh) => {
    const { hertz } = await rateOf({ refresh, seconds: 2, grid: 0.1 });
    expect(Math.abs(hertz / refresh - 1)).toBeLessThan(0.001);
  });

  test("refreshes are counted on a clock of 100 ms", async () => {
    const { hertz } = await rateOf({ refresh: 120, seconds: 6, grid: 100 });
    expect(Math.abs(hertz / 120 - 1)).toBeLessThan(0.03);
  });

  test("a loop at that rate takes a step per refresh, even if the display drifts", async () => {
    const { hertz, screen, play } = await rateOf({ refresh: 60, seconds: 2, grid: 0.1 });
    const loop = new Loop({ rate: hertz });
    loop.start(screen);
    const frames = stamps({ refresh: 60.03, seconds: 60, grid: 0.1 }).map((stamp) => stamp + 5000);
    play(frames);
    expect(Math.abs(loop.tick - frames.length)).toBeLessThan(3);
  });

  test("a change from 120 to 60 Hz is reported, and the loop keeps its speed", async () => {
    const { hertz, screen, play } = await rateOf({ refresh: 120, seconds: 2, grid: 0.1 });
    const told: number[] = [];
    screen.on("rate", (rate) => void told.push(rate));
    const loop = new Loop({ rate: hertz });
    loop.start(screen);
    play(stamps({ refresh: 120, changes: [[2, 60]], seconds: 20, grid: 0.1 }).map((stamp) => stamp + 5000));
    expect(told.map(Math.round)).toEqual([60]);
    expect(Math.abs(loop.time - 20)).toBeLessThan(0.1);
  });
});

test("a frame cap leaves frames out, and steps still run on time", () => {
  for (const refresh of [60, 75, 120, 144, 240]) {
    let drawn = 0;
    const loop = new Loop({ rate: 60, render: () => void drawn++ });
    const { screen, play } = manualScreen({ frameCap: 60 });
    loop.start(screen);
    play(stamps({ refresh, seconds: 20, grid: 0.1 }));
    expect(Math.abs(loop.time / 20 - 1)).toBeLessThan(0.002);
    expect(drawn / 20).toBeGreaterThan(59.8);
    expect(drawn / 20).toBeLessThan(60.3);
  }
});

test("measures judder, dropped and irregular frames", () => {
  const { loop, play } = onScreen({ rate: 60 });
  const figures = measure(loop, () => 0);
  play(stamps({ refresh: 60, seconds: 20, grid: 0.1, drops: 0.05, seed: 3 }));
  expect(figures.droppedFrames).toBeGreaterThan(30);
  expect(figures.judder).toBeGreaterThan(0.1);
  expect(figures.recent.moveError).toBeLessThan(0.01);
  expect(figures.recent.irregularFrames).toBe(0);
});
