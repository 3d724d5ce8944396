import { describe, expect, test } from "vitest";
import { displayFrames, type DisplayFrame, type DisplayOptions } from "../../scenes/display.js";
import type { LoopOptions } from "../../src/index.js";
import { manualLoop } from "../../src/testing/index.js";

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
function expectTruth(options: DisplayOptions, settings: Partial<LoopOptions> = {}, from = 8) {
  let isDrawn = false;
  const loop = manualLoop({ rate: 60, pacing: "display", ...settings, render: () => void (isDrawn = true) });
  const eye = new Eye();
  displayFrames(options).forEach((frame, i) => {
    isDrawn = false;
    loop.driver.play([frame.stamp]);
    eye.see(frame, isDrawn, loop.shownTime * 1000);
    if (i < from || !isDrawn) return;
    const { droppedFrames, judder, worstJudder } = loop.stats;
    // Until the clock has locked, rounded timestamps look like uneven refreshes.
    const tolerance = 0.002 + 0.05 / i;
    expect(droppedFrames, `frame ${i}`).toBe(eye.dropped);
    expect(Math.abs(judder - eye.judder), `frame ${i}`).toBeLessThan(tolerance * (1 + eye.judder));
    expect(Math.abs(worstJudder - eye.worst), `frame ${i}`).toBeLessThan(0.02 * (1 + eye.worst));
  });
  return { loop, eye };
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
    const { loop, eye } = expectTruth({ ...CHROME, refresh: 75 }, { frameCap: 60 });
    expect(loop.stats.judder).toBeCloseTo(0.632, 2);
    expect(eye.dropped).toBeGreaterThan(290);
    expectTruth({ ...CHROME, refresh: 144 }, { frameCap: "half" });
    expectTruth({ ...CHROME, refresh: 120, drops: 0.05 }, { frameCap: 30 }, 20);
  });

  test("with another presentation, which judders", () => {
    const { loop } = expectTruth({ ...CHROME, refresh: 144 }, { present: "latest" });
    expect(loop.stats.judder).toBeGreaterThan(1);
  });
});

test("a frame off the lattice is measured too", () => {
  const loop = manualLoop({ rate: 60, pacing: "display" });
  const stamps = displayFrames({ ...CHROME, seconds: 5 }).map(({ stamp }) => stamp);
  loop.driver.play(stamps);
  const { judder } = loop.stats;
  loop.driver.play([stamps.at(-1)! + 9]);
  expect(loop.display!.refreshes).toBe(0);
  expect(loop.stats.judder).toBeGreaterThan(judder);
});

test("a pause, a restart and the first frame do not count as judder", () => {
  const loop = manualLoop({ rate: 60, pacing: "display" });
  const stamps = displayFrames({ ...CHROME, seconds: 30 }).map(({ stamp }) => stamp);
  loop.driver.play(stamps.slice(0, 600));
  const { judder } = loop.stats;
  loop.pause();
  loop.driver.play(stamps.slice(600, 700));
  loop.resume();
  loop.driver.play(stamps.slice(700, 1000));
  expect(loop.stats.judder).toBeLessThanOrEqual(judder);
  loop.stop();
  loop.start();
  loop.driver.play(stamps.slice(1500, 1600));
  expect([loop.stats.droppedFrames, loop.stats.judder <= judder]).toEqual([0, true]);
});

test("a time scale is not judder; dropped frames add to judder, but not to moveError", () => {
  const loop = manualLoop({ rate: 60, pacing: "display", timeScale: 0.5 });
  loop.driver.play(displayFrames({ ...CHROME, drops: 0.02 }).map(({ stamp }) => stamp));
  expect(loop.stats.judder).toBeGreaterThan(0.1);
  expect(loop.stats.recent.moveError).toBeLessThan(0.01);
});

test("a display that stays at half its rate for over a minute counts as a slower one", () => {
  const loop = manualLoop({ rate: 60, pacing: "display" });
  const frames = displayFrames({ refresh: 120, changes: [[5, 60]], seconds: 100, grid: 0.1 });
  loop.driver.play(frames.map(({ stamp }) => stamp));
  expect(1 / loop.display!.period).toBeCloseTo(60, 1);
  expect(loop.stats.recent.droppedFrames).toBe(0);
  expect(loop.stats.recent.judder).toBeLessThan(0.01);
});
