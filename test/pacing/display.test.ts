// What a display promises to a loop, apart from even frames: see pacing.test.ts for those.
import { describe, expect, test } from "vitest";
import { LENGTHS, spellFrames, switchFrames } from "../../scenes/changing-displays.js";
import { displayFrames, randomFrames, type DisplayOptions } from "../../scenes/display.js";
import { judder, judderOf } from "../../scenes/judder.js";
import { irregular, oracle, plainRaf, tickwise } from "../../scenes/pacing.js";
import { CLOCKS } from "../../scenes/score.js";
import { Loop } from "../../src/index.js";
import { manualDisplay } from "../../src/testing/index.js";
import { FULL } from "../full.js";

const SEEDS = FULL ? [1, 2, 3, 4, 5] : [1, 2];
const stamps = (options: DisplayOptions) => displayFrames(options).map(({ stamp }) => stamp);

test("at equal rates, the newest state is shown as soon as the display is recognised", () => {
  for (const hertz of [60, 120, 144]) {
    const alphas: number[] = [];
    const screen = manualDisplay();
    new Loop({ rate: hertz, render: ({ alpha }) => void alphas.push(alpha) }).start(screen);
    screen.play(stamps({ refresh: hertz, seconds: 1, grid: 0.1 }));
    const first = alphas.indexOf(1);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(9);
    expect(new Set(alphas.slice(first))).toEqual(new Set([1]));
  }
});

test("with late timestamps, equal rates stay aligned after the first second", () => {
  for (const seed of SEEDS)
    for (const [refresh, max] of [
      [60, 0],
      [120, 0],
      [240, 10],
    ] as const) {
      const frames = displayFrames({ ...CLOCKS.late, refresh, seconds: 60, seed });
      const { steps, shown } = tickwise(frames, refresh);
      expect(irregular(frames.slice(refresh), steps.slice(refresh), refresh)).toBeLessThanOrEqual(max);
      expect(judder(judderOf(frames.slice(2 * refresh), shown.slice(2 * refresh))).rms).toBeLessThan(0.001);
    }
});

test("never much worse than plain timestamps: load, other displays, no display at all", () => {
  const rms = (pacing: typeof tickwise, frames: ReturnType<typeof displayFrames>) =>
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
        expect(rms(tickwise, frames), `trace ${i}, seed ${seed}`).toBeLessThan(rms(plainRaf, frames) + 0.005);
    }
});

test("timestamps on a grid of 16.67 ms: even where none repeats, and dropped frames are still seen", () => {
  const rms = (refresh: number, drops = 0) => {
    const frames = displayFrames({ refresh, drops, grid: 100 / 6, seconds: 60, seed: 2 });
    return judder(judderOf(frames.slice(300), tickwise(frames, 60).shown.slice(300))).rms;
  };
  for (const refresh of [40, 48, 50, 55, 60, 75, 144])
    expect(rms(refresh), `${refresh} Hz`).toBeLessThan(0.001);
  const frames = displayFrames({ refresh: 60, drops: 0.05, grid: 100 / 6, seconds: 60, seed: 2 });
  const best = judder(judderOf(frames.slice(300), oracle(frames, 60).shown.slice(300))).rms;
  expect(rms(60, 0.05)).toBeLessThan(best + 0.001);
});

test("runSteps and advance before the start do not change the pacing", () => {
  const screen = manualDisplay();
  const loop = new Loop({ rate: 60 });
  loop.runSteps(3);
  loop.advance(0.01);
  loop.start(screen);
  const ticks: number[] = [];
  for (const stamp of stamps({ refresh: 60, seconds: 2, grid: 1 })) {
    screen.play([stamp]);
    ticks.push(loop.tick);
  }
  const steps = ticks.slice(10).map((tick, i) => tick - ticks[i + 9]!);
  expect(new Set(steps)).toEqual(new Set([1]));
  expect(loop.alpha).toBe(1);
});

describe("the display's rate", () => {
  /** The rate that a display finds. */
  async function found(options: DisplayOptions) {
    const screen = manualDisplay();
    const hertz = screen.rate();
    screen.play(stamps(options));
    return { hertz: await hertz, screen };
  }

  test.each([60, 59.94, 75, 120, 144, 240])("%f Hz is found within two seconds", async (refresh) => {
    const { hertz } = await found({ refresh, seconds: 2, grid: 0.1 });
    expect(Math.abs(hertz / refresh - 1)).toBeLessThan(0.001);
  });

  test("refreshes are counted on a clock of 100 ms", async () => {
    const { hertz } = await found({ refresh: 120, seconds: 6, grid: 100 });
    expect(Math.abs(hertz / 120 - 1)).toBeLessThan(0.03);
  });

  test("a loop at that rate takes a step per refresh, even if the display drifts", async () => {
    const { hertz, screen } = await found({ refresh: 60, seconds: 2, grid: 0.1 });
    const loop = new Loop({ rate: hertz });
    loop.start(screen);
    const frames = stamps({ refresh: 60.03, seconds: 60, grid: 0.1 }).map((stamp) => stamp + 5000);
    screen.play(frames);
    expect(Math.abs(loop.tick - frames.length)).toBeLessThan(3);
  });

  test("a change from 120 to 60 Hz is reported, and the loop keeps its speed", async () => {
    const { hertz, screen } = await found({ refresh: 120, seconds: 2, grid: 0.1 });
    const told: number[] = [];
    screen.on("rate", (rate) => void told.push(rate));
    const loop = new Loop({ rate: hertz });
    loop.start(screen);
    const after = { refresh: 120, changes: [[2, 60]] as [number, number][], seconds: 20, grid: 0.1 };
    screen.play(stamps(after).map((stamp) => stamp + 5000));
    expect(told.map(Math.round)).toEqual([60]);
    expect(Math.abs(loop.time - 20)).toBeLessThan(0.1);
  });
});

test("a frame cap leaves frames out, and steps still run on time", () => {
  for (const refresh of [60, 75, 120, 144, 240]) {
    let drawn = 0;
    const loop = new Loop({ rate: 60, render: () => void drawn++ });
    const screen = manualDisplay({ frameCap: 60 });
    loop.start(screen);
    screen.play(stamps({ refresh, seconds: 20, grid: 0.1 }));
    expect(Math.abs(loop.time / 20 - 1)).toBeLessThan(0.002);
    expect(drawn / 20).toBeGreaterThan(59.8);
    expect(drawn / 20).toBeLessThan(60.3);
  }
});
