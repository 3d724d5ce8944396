import { expect, test } from "vitest";
import { displayFrames, noise, type DisplayOptions } from "../../../scenes/display.js";
import { DisplayClock } from "./display-clock.js";

function passFrame(clock: DisplayClock, elapsed: number, timestamp = NaN): void {
  clock.timestamp = timestamp;
  clock.elapsed = elapsed;
  clock.pass();
}

/** Plays frames of a display to a clock. Returns it with the time passed on and the time of the timestamps. */
function seen(options: DisplayOptions, clock = new DisplayClock()) {
  const frames = displayFrames(options);
  const handed: number[] = [];
  const refreshes: number[] = [];
  let last = frames[0]!.stamp;
  for (const { stamp } of frames.slice(1)) {
    // Loops wait for a clock that steps back.
    if (stamp <= last) continue;
    passFrame(clock, stamp - last, stamp);
    last = stamp;
    handed.push(clock.elapsed);
    refreshes.push(clock.refreshes);
  }
  const sum = handed.reduce((a, b) => a + b, 0);
  return { clock, frames, handed, refreshes, sum, told: last - frames[0]!.stamp };
}

test("passes on whole periods, although timestamps are whole milliseconds", () => {
  const { clock, handed, refreshes, sum, told } = seen({ refresh: 60, grid: 1, seconds: 10 });
  expect(clock.period).toBeCloseTo(1000 / 60, 2);
  for (const elapsed of handed.slice(30)) expect(Math.abs(elapsed - 1000 / 60)).toBeLessThan(0.01);
  expect(new Set(refreshes.slice(10))).toEqual(new Set([1]));
  expect(Math.abs(sum - told)).toBeLessThan(1);
  expect(clock.coarse).toBe(true);
});

test("passes timestamps on as they are until it knows the display", () => {
  const clock = new DisplayClock();
  for (const elapsed of [20, 7, 31, 12, 9, 25]) {
    passFrame(clock, elapsed);
    expect([clock.elapsed, clock.refreshes, clock.locked]).toEqual([elapsed, 0, false]);
  }
});

test("counts the refreshes that a frame missed", () => {
  const { frames, refreshes } = seen({ refresh: 144, grid: 0.1, drops: 0.05, seconds: 10, seed: 6 });
  expect(refreshes.slice(20)).toEqual(frames.slice(21).map((frame) => frame.refreshes));
});

test("passes a stall on in full, keeps the period, and finds the phase again", () => {
  const { clock } = seen({ refresh: 60, grid: 0.1, seconds: 2 });
  const { period } = clock;
  passFrame(clock, 5003.3);
  expect([clock.elapsed, clock.refreshes, clock.period]).toEqual([5003.3, 0, period]);
  passFrame(clock, 16.7);
  expect([clock.locked, clock.refreshes]).toEqual([true, 1]);
});

test("an unknown time between frames has no effect", () => {
  const { clock } = seen({ refresh: 60, grid: 0.1, seconds: 2 });
  passFrame(clock, Infinity);
  passFrame(clock, 16.6);
  expect(clock.elapsed).toBeCloseTo(1000 / 60, 1);
});

test.each([
  [60, 144],
  [144, 60],
  [120, 60],
  [60, 120],
  [60, 75],
  [90, 60],
  [144, 120],
])("follows a display from %i to %i Hz", (from, to) => {
  for (const grid of [0.1, 1]) {
    const { clock, refreshes } = seen({ refresh: from, changes: [[4, to]], grid, seconds: 16 });
    // Half the rate may be temporary load: each frame then takes two refreshes.
    const perFrame = from === 2 * to ? 2 : 1;
    expect(1000 / clock.period).toBeCloseTo(perFrame * to, 0);
    expect(new Set(refreshes.slice(-60))).toEqual(new Set([perFrame]));
  }
});

test("the sum follows any timestamps", () => {
  const options: DisplayOptions[] = [
    { refresh: 240, grid: 1, late: true, seconds: 600 },
    { refresh: 60, jitter: 3, drops: 0.1, seconds: 600 },
    { refresh: [40, 160], grid: 0.1, seconds: 600 },
    {
      refresh: 144,
      grid: 1,
      late: true,
      drops: 0.02,
      seconds: 600,
      changes: [
        [100, 60],
        [200, 75],
        [300, 240],
      ],
    },
  ];
  for (const option of options) {
    const { sum, told } = seen(option);
    expect(Math.abs(sum - told)).toBeLessThan(20);
  }
});

test("never passes on negative time", () => {
  for (let seed = 1; seed < 20; seed++)
    for (const refresh of [60, 240]) {
      const { handed } = seen({ refresh, grid: 1, late: true, jitter: 2, drops: 0.05, seconds: 20, seed });
      expect(Math.min(...handed)).toBeGreaterThanOrEqual(0);
    }
});

test("a stopped clock gives no time", () => {
  const { clock } = seen({ refresh: 75, grid: 0.1, seconds: 2 });
  for (let i = 0; i < 100; i++) {
    passFrame(clock, 0);
    expect([clock.elapsed, clock.refreshes]).toEqual([0, 0]);
  }
});

test("for any timestamps, time never goes backwards, and the sum stays near them", () => {
  const wrong: string[] = [];
  for (let seed = 1; seed <= 400; seed++) {
    const random = noise(seed);
    const clock = new DisplayClock();
    const grid = [0, 0.1, 1, 100 / 6, 100][seed % 5]!;
    let [period, mode, time, last, sum, longest] = [2 + 30 * random(), 0, 0, 0, 0, 0];
    for (let i = 0; i < 600; i++) {
      if (random() < 0.02) mode = Math.floor(7 * random());
      if (random() < 0.01) period = 2 + 30 * random();
      const lengths = [1, 1 + 0.1 * random(), Math.ceil(3 * random()), 2 * random(), 20 * random(), 0.5];
      time += mode < 6 ? period * lengths[mode]! : 0.001;
      const stamp = grid ? Math.floor(time / grid) * grid : time;
      passFrame(clock, stamp - last, stamp);
      longest = Math.max(0.98 * longest, stamp - last, clock.period);
      last = stamp;
      sum += clock.elapsed;
      const isSound = clock.elapsed >= 0 && clock.period >= 0 && Number.isInteger(clock.refreshes);
      const isNear = Math.abs(sum - stamp) < 2 * (longest + grid);
      if (!isSound || !isNear) wrong.push(`seed ${seed}, frame ${i}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("does not take a stall before the first coarse timestamps for their grid", () => {
  const frames = displayFrames({ refresh: 60, grid: 100, stalls: [[0.07, 0.15]], seconds: 5 });
  const clock = new DisplayClock();
  let sum = 0;
  for (const [i, { stamp }] of frames.entries()) {
    passFrame(clock, i ? stamp - frames[i - 1]!.stamp : Infinity, stamp);
    if (i) sum += clock.elapsed;
    expect(Math.abs(sum - (stamp - frames[0]!.stamp))).toBeLessThan(100 + 1000 / 60);
  }
});
