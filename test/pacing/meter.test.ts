import { describe, expect, test } from "vitest";
import { displayFrames, type DisplayFrame, type DisplayOptions } from "../../scenes/display.js";
import {
  measure,
  timeScale,
  type DisplayOptions as ScreenOptions,
  type LoopOptions,
} from "../../src/index.js";
import { onDisplay } from "../../scenes/pacing.js";

/** Measures the motion on the display, refresh by refresh, from the frames that were drawn. */
class Eye {
  refreshes = 0;
  dropped = 0;
  worst = 0;
  #squares = 0;
  #last: { shown: number; vsync: number } | undefined;
  #undrawn = 0;

  get judder(): number {
    return Math.sqrt(this.#squares / this.refreshes);
  }

  see({ vsync, refreshes }: DisplayFrame, isDrawn: boolean, shown: number): void {
    this.#undrawn += refreshes;
    if (!isDrawn) return;
    const count = this.#undrawn;
    this.#undrawn = 0;
    if (this.#last) {
      const ideal = (vsync - this.#last.vsync) / count;
      const error = (shown - this.#last.shown) / ideal - 1;
      this.refreshes += count;
      this.dropped += count - 1;
      this.#squares += count - 1 + error ** 2;
      this.worst = Math.max(this.worst, Math.abs(error), count > 1 ? 1 : 0);
    }
    this.#last = { shown, vsync };
  }
}

/** Plays the frames of a display, and compares the loop's figures with the actual motion after each. */
function expectTruth(
  options: DisplayOptions,
  settings: Partial<LoopOptions> & Pick<ScreenOptions, "frameCap"> = {},
  from = 8,
) {
  let isDrawn = false;
  const { frameCap, ...loopOptions } = settings;
  const { loop, screen } = onDisplay(
    { rate: 60, ...loopOptions, render: () => void (isDrawn = true) },
    { frameCap },
  );
  const stats = measure(loop, () => 0);
  const eye = new Eye();
  displayFrames(options).forEach((frame, i) => {
    isDrawn = false;
    screen.play([frame.stamp]);
    eye.see(frame, isDrawn, loop.frame.shownTime * 1000);
    if (i < from || !isDrawn) return;
    const { droppedFrames, judder, worstJudder } = stats;
    // Until the clock has locked, rounded timestamps look like uneven refreshes.
    const tolerance = 0.002 + 0.05 / i;
    expect(droppedFrames, `frame ${i}`).toBe(eye.dropped);
    expect(Math.abs(judder - eye.judder), `frame ${i}`).toBeLessThan(tolerance * (1 + eye.judder));
    expect(Math.abs(worstJudder - eye.worst), `frame ${i}`).toBeLessThan(0.02 * (1 + eye.worst));
  });
  return { stats, eye };
}

const CHROME = { grid: 0.1, seconds: 20, refresh: 60 };

describe("the meter agrees with the positions drawn, frame by frame", () => {
  test("on a steady display", () => {
    for (const refresh of [60, 75, 144])
      for (const rate of [60, 50]) expect(expectTruth({ ...CHROME, refresh }, { rate }).eye.dropped).toBe(0);
  });

  test("with dropped frames", () => {
    const { eye } = expectTruth({ ...CHROME, refresh: 75, drops: 0.05, seed: 4 }, {}, 20);
    expect(eye.dropped).toBeGreaterThan(50);
  });

  test.each([2, 3])("in spells in which each frame takes %i refreshes", (every) => {
    const spells = [
      [3, 0.2, every],
      [5, 12, every],
    ] as const;
    const { eye } = expectTruth({ ...CHROME, spells });
    expect(eye.judder).toBeGreaterThan(0.5);
  });

  test("in a stall, whether it is clamped or not", () => {
    for (const seconds of [0.1, 0.3, 2]) expectTruth({ ...CHROME, stalls: [[5, seconds]] });
    expectTruth({ ...CHROME, stalls: [[5, 2]] }, { maxFrameTime: 5 });
  });

  test("under a frame cap: 60 of 75 frames judder by 63 %", () => {
    const { stats, eye } = expectTruth({ ...CHROME, refresh: 75 }, { frameCap: 60 });
    expect(stats.judder).toBeCloseTo(0.632, 2);
    expect(eye.dropped).toBeGreaterThan(290);
    expectTruth({ ...CHROME, refresh: 144 }, { frameCap: "half" });
    expectTruth({ ...CHROME, refresh: 120, drops: 0.05 }, { frameCap: 30 }, 20);
  });
});

test("a frame off the lattice is measured too", () => {
  const { loop, screen } = onDisplay({ rate: 60 });
  const stats = measure(loop, () => 0);
  const stamps = displayFrames({ ...CHROME, seconds: 5 }).map(({ stamp }) => stamp);
  screen.play(stamps);
  const { judder } = stats;
  screen.play([stamps.at(-1)! + 9]);
  expect(screen.info.refreshes).toBe(0);
  expect(stats.judder).toBeGreaterThan(judder);
});

test("a pause, a restart and the first frame do not count as judder", () => {
  const { loop, screen } = onDisplay({ rate: 60 });
  const stats = measure(loop, () => 0);
  const stamps = displayFrames({ ...CHROME, seconds: 30 }).map(({ stamp }) => stamp);
  screen.play(stamps.slice(0, 600));
  const { judder } = stats;
  loop.pause();
  screen.play(stamps.slice(600, 700));
  loop.resume();
  screen.play(stamps.slice(700, 1000));
  expect(stats.judder).toBeLessThanOrEqual(judder);
  loop.stop();
  loop.start();
  screen.play(stamps.slice(1500, 1600));
  expect([stats.droppedFrames, stats.judder <= judder]).toEqual([0, true]);
});

test("a time scale is not judder; dropped frames add to judder, but not to moveError", () => {
  const { loop, screen } = onDisplay({ rate: 60 });
  const stats = measure(loop, () => 0);
  timeScale(loop).set(0.5);
  screen.play(displayFrames({ ...CHROME, drops: 0.02 }).map(({ stamp }) => stamp));
  expect(stats.judder).toBeGreaterThan(0.1);
  expect(stats.recent.moveError).toBeLessThan(0.01);
});

test("a display that stays at half its rate for over a minute counts as a slower one", () => {
  const { loop, screen } = onDisplay({ rate: 60 });
  const stats = measure(loop, () => 0);
  const frames = displayFrames({ refresh: 120, changes: [[5, 60]], seconds: 100, grid: 0.1 });
  screen.play(frames.map(({ stamp }) => stamp));
  expect(1000 / screen.info.period / screen.info.refreshes).toBeCloseTo(60, 1);
  expect(stats.recent.droppedFrames).toBe(0);
  expect(stats.recent.judder).toBeLessThan(0.01);
});
