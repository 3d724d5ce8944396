import { expect, test } from "vitest";
import { displayFrames } from "../../scenes/display.js";
import { seenUnsynced, seenVariable, unsyncedFrames } from "../../scenes/free-displays.js";
import { judder, judderOf } from "../../scenes/judder.js";
import { onDisplay, oracle, rateOf, tickwise, type Pacing } from "../../scenes/pacing.js";
import { CLOCKS } from "../../scenes/score.js";

test.each([
  [60, 300],
  [60, 1000],
  [144, 300],
])("vsync off, %i Hz and %i frames per second: as even as with exact timestamps", (refresh, fps) => {
  const frames = unsyncedFrames(fps, 0.15, 30, CLOCKS.chrome, fps);
  const rms = (pacing: Pacing) => {
    const seen = seenUnsynced(frames, pacing(frames, 60).shown, refresh);
    return judder(judderOf(seen.frames.slice(120), seen.shown.slice(120))).rms;
  };
  expect(rms(tickwise)).toBeLessThan(rms(oracle) + 0.001);
  // But not even: each refresh shows a frame of another age.
  expect(rms(oracle)).toBeGreaterThan((0.4 * refresh) / fps);
});

test("vsync off: the last complete frame is shown", () => {
  const frames = [0, 10, 20, 31, 40, 50].map((vsync) => ({ stamp: vsync, now: vsync, vsync, refreshes: 1 }));
  const seen = seenUnsynced(
    frames,
    frames.map(({ vsync }) => vsync),
    100,
  );
  for (const [i, { vsync }] of seen.frames.entries()) {
    const complete = frames.filter((_, frame) => (frames[frame + 1]?.vsync ?? Infinity) <= vsync);
    expect(seen.shown[i]).toBe(complete.at(-1)!.vsync);
  }
  expect(seen.shown.length).toBeGreaterThan(2);
});

test("on a variable display, the clock does not lock, and its timestamps are used as they are", () => {
  const frames = displayFrames({ refresh: [48, 144], seconds: 60, ...CLOCKS.chrome, seed: 1 });
  const { screen } = onDisplay({ rate: 60 });
  let locked = 0;
  for (const { stamp } of frames) {
    screen.play([stamp]);
    if (screen.info.locked) locked++;
  }
  expect(locked).toBe(0);
  const rms = (pacing: Pacing) => {
    const seen = seenVariable(frames, pacing(frames, 60).shown);
    return judder(judderOf(seen.frames.slice(200), seen.shown.slice(200))).rms;
  };
  expect(rms(tickwise)).toBeLessThan(rms(oracle) + 0.001);
});

test.each([
  ["60 Hz rounded to 16.67 ms", displayFrames({ refresh: 60, seconds: 8, grid: 1000 / 60 }), 60],
  ["144 Hz rounded to 100 ms", displayFrames({ refresh: 144, seconds: 8, grid: 100 }), 144],
  ["300 frames per second ± 15 %", unsyncedFrames(300, 0.15, 8, CLOCKS.chrome, 3), 60],
  ["300 frames per second ± 0.5 %", unsyncedFrames(300, 0.005, 8, CLOCKS.chrome, 3), 300],
] as const)("the rate of %s", (_, frames, rate) => {
  expect(rateOf(frames.map(({ stamp }) => stamp)).hertz).toBeCloseTo(rate, 1);
});
