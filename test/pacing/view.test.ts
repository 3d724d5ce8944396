import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { displayFrames, type DisplayOptions } from "../../scenes/display.js";
import { CLOCKS } from "../../scenes/score.js";
import { Loop, measure, onOverload, timeScale, timestampOf, type LoopOptions } from "../../src/index.js";
import { consoleLike, desktop, mobile, networkTick, server, web } from "../../src/loop/presets.js";
import { manualDisplay, manualDriver } from "../../src/testing/index.js";
import { onDisplay, rateOf } from "../../scenes/pacing.js";

const stamps = (options: DisplayOptions) => displayFrames(options).map(({ stamp }) => stamp);

/** Runs a loop on a simulated display with a frame cap. Returns it with the real seconds at which it drew. */
function drawn(frameCap: number | "half", options: DisplayOptions) {
  const frames = displayFrames(options);
  const times: number[] = [];
  let now = 0;
  let delta = 0;
  let steps = 0;
  const { loop, screen } = onDisplay(
    {
      rate: 60,
      render(info) {
        times.push(now);
        delta += info.delta;
        steps += info.steps;
      },
    },
    { frameCap },
  );
  for (const { stamp, vsync } of frames) {
    now = vsync;
    screen.play([stamp]);
  }
  const seconds = (frames.at(-1)!.vsync - frames[0]!.vsync) / 1000;
  return { loop, times, seconds, delta, steps, frames };
}

/** A display that has found its rate in six seconds of frames, and the frames after that. */
function measured(options: DisplayOptions) {
  const all = stamps(options);
  const first = all.findIndex((stamp) => stamp - all[0]! > 6000);
  const { screen, hertz } = rateOf(all.slice(0, first));
  return { screen, hertz, rest: all.slice(first) };
}

describe("frameCap", () => {
  describe.each([60, 59.94, 75, 120, 144, 165, 240])("of 60 at %f Hz", (refresh) => {
    test.each(Object.entries(CLOCKS))("on the clock of %s", (_, clock) => {
      const { loop, times, seconds, delta, steps } = drawn(60, { refresh, seconds: 60, ...clock, seed: 4 });
      expect(Math.abs(loop.time / seconds - 1)).toBeLessThan(0.001);
      const perSecond = (times.length - 1) / seconds;
      expect(perSecond).toBeGreaterThan(Math.min(60, refresh) * 0.9985);
      expect(perSecond).toBeLessThan(60.1);
      // A drawn frame includes the time and steps of the frames left out before it.
      expect(Math.abs(delta / seconds - 1)).toBeLessThan(0.001);
      expect(loop.tick - steps).toBeLessThanOrEqual(1);
      const gaps = times.slice(1).map((time, i) => Math.round(((time - times[i]!) * refresh) / 1000));
      const isEven = [60, 120, 240].includes(refresh) && !(refresh === 240 && clock === CLOCKS.late);
      const slack = isEven ? 0 : 1.5;
      for (const gap of gaps.slice(120)) expect(Math.abs(gap - refresh / 60)).toBeLessThanOrEqual(slack);
    });
  });

  test("steps still run on time", () => {
    const ticks: number[] = [];
    const { loop, screen } = onDisplay({ rate: 60 }, { frameCap: 30 });
    for (const stamp of stamps({ refresh: 60, seconds: 2, grid: 0.1 })) {
      screen.play([stamp]);
      ticks.push(loop.tick);
    }
    const steps = ticks.slice(1).map((tick, i) => tick - ticks[i]!);
    expect(new Set(steps)).toEqual(new Set([1]));
  });

  test('"half" draws every second frame on any display', () => {
    for (const refresh of [60, 90, 144]) {
      const { times, frames } = drawn("half", { refresh, seconds: 10, grid: 0.1 });
      expect(times.length).toBe(Math.ceil(frames.length / 2));
    }
  });

  test("a drawn frame includes those left out", () => {
    let [real, steps, frames] = [0, 0, 0];
    const render: LoopOptions["render"] = (info) => {
      frames++;
      real += info.realDelta;
      steps += info.steps;
    };
    const { loop, screen } = onDisplay({ rate: 60, render }, { frameCap: 10 });
    screen.display(60, 2);
    expect([frames, steps]).toEqual([21, loop.tick]);
    expect(real).toBeCloseTo(2, 9);
  });

  test("after a reset, the next frame is drawn, and includes none before", () => {
    let [frames, last] = [0, 0];
    const { loop, screen } = onDisplay(
      { rate: 60, render: ({ steps }) => void (frames++, (last = steps)) },
      { frameCap: 10 },
    );
    screen.display(60, 63 / 60);
    expect(frames).toBe(11);
    loop.reset();
    screen.display(60, 1 / 60);
    expect([frames, last]).toEqual([12, 0]);
  });

  test("draws frames of runSteps", () => {
    for (const frameCap of [1, "half"] as const) {
      let count = 0;
      const { loop } = onDisplay({ rate: 60, render: () => void count++ }, { frameCap });
      for (let i = 0; i < 4; i++) loop.runSteps();
      expect(count).toBe(4);
    }
  });
});

describe("the display's rate", () => {
  test.each([
    [60, CLOCKS.chrome],
    [59.94, CLOCKS.chrome],
    [143.981, CLOCKS.chrome],
    [120, CLOCKS.coarse],
  ])("%f Hz is found once, and a loop at that rate runs one step per refresh", (refresh, clock) => {
    const told: number[] = [];
    const all = stamps({ refresh, seconds: 20, ...clock });
    const { screen, hertz } = rateOf(all.slice(0, 200));
    expect(Math.abs(hertz - refresh)).toBeLessThan(refresh / 1000);
    expect(Math.round(hertz * 1000) / 1000).toBe(hertz);
    const loop = new Loop({ rate: hertz });
    const figures = measure(loop, () => 0);
    screen.on("rate", (found) => void told.push(found));
    loop.start(screen);
    screen.play(all.slice(200));
    expect([loop.tick, figures.irregularFrames, told]).toEqual([all.length - 201, 0, []]);
  });

  test.each([
    [60, 0.8, 2],
    [60, 1.5, 2],
    [75, 0.8, 2],
    [60, 0.8, 3],
    [144, 0.6, 2],
  ])(
    "%i Hz is found after a slow start of %f s in which frames take %i refreshes",
    (refresh, seconds, every) => {
      for (const clock of [CLOCKS.chrome, CLOCKS.coarse, CLOCKS.firefox]) {
        const { hertz } = rateOf(stamps({ refresh, seconds: 8, spells: [[0, seconds, every]], ...clock }));
        expect(Math.abs(hertz / refresh - 1)).toBeLessThan(0.001);
      }
    },
  );

  test("finds a 30 Hz display", () => {
    expect(rateOf(stamps({ refresh: 30, seconds: 8, grid: 0.1 })).hertz).toBe(30);
  });

  test("is 60 Hz without a steady rate", () => {
    const { hertz, after } = rateOf(stamps({ refresh: [48, 144], seconds: 20, seed: 3 }));
    expect([hertz, Math.round(after)]).toEqual([60, 5]);
  });

  test.each([2, 3, 8, 32])("%i steps per refresh", (steps) => {
    for (const clock of Object.values(CLOCKS))
      for (const refresh of [59.94, 60, 75, 120]) {
        const { screen, hertz, rest } = measured({ refresh, ...clock, seed: refresh, seconds: 16 });
        const loop = new Loop({ rate: steps * hertz });
        loop.start(screen);
        screen.play(rest.slice(0, 1));
        for (const stamp of rest.slice(1)) {
          screen.play([stamp]);
          expect([loop.frame.steps, loop.alpha]).toEqual([steps, 1]);
        }
        expect(Math.abs(hertz / refresh - 1)).toBeLessThan(0.001);
      }
  });

  test.each([2, 3, 5])("one step per %i refreshes, evenly blended", (every) => {
    for (const clock of [CLOCKS.chrome, CLOCKS.coarse, CLOCKS.firefox]) {
      const { screen, hertz, rest } = measured({ refresh: 59.94, ...clock, seed: every, seconds: 16 });
      const loop = new Loop({ rate: hertz / every });
      loop.start(screen);
      screen.play(rest.slice(0, 1));
      const alphas = new Set<string>();
      for (let i = 1; i + every <= rest.length; i += every) {
        const { tick } = loop;
        for (const stamp of rest.slice(i, i + every)) {
          screen.play([stamp]);
          alphas.add(loop.alpha.toFixed(1));
        }
        expect(loop.tick - tick).toBe(1);
      }
      expect(alphas.size).toBe(every);
    }
  });

  test("the picture never runs backwards if the display changes after its rate was found", () => {
    for (const clock of Object.values(CLOCKS)) {
      const changes = [
        [8, 144],
        [12, 59.94],
      ] as const;
      const { screen, hertz, rest } = measured({ refresh: 60, seconds: 40, changes, ...clock, drops: 0.01 });
      const loop = new Loop({ rate: 2 * hertz });
      loop.start(screen);
      let shown = 0;
      for (const stamp of rest) {
        screen.play([stamp]);
        expect(loop.frame.shownTime).toBeGreaterThanOrEqual(shown);
        shown = loop.frame.shownTime;
      }
      expect(Math.abs((rest.at(-1)! - rest[0]!) / 1000 - shown)).toBeLessThan(0.1);
    }
  });
});

describe("on a display, a loop", () => {
  test("shows the newest state: alpha is 1", () => {
    const { loop, screen } = onDisplay({ rate: 60 });
    screen.play(stamps({ refresh: 60, seconds: 10, grid: 0.1 }));
    const { lead, owed, step } = loop.kernel;
    expect([loop.alpha, owed]).toEqual([1, step - 1]);
    expect(Math.abs(lead / step - 1)).toBeLessThan(0.06);
  });

  test("pauses, scales and loses time as without one", () => {
    const lost: number[] = [];
    const { loop, screen } = onDisplay({ rate: 60 });
    timeScale(loop).set(0.5);
    onOverload(loop, (info) => void lost.push(info.lost));
    const all = stamps({ refresh: 60, seconds: 10, grid: 0.1 });
    screen.play(all);
    expect(loop.time).toBeCloseTo(5, 1);
    loop.pause();
    const { tick } = loop;
    screen.play(all.map((stamp) => stamp + 10_016.7));
    expect(loop.tick).toBe(tick);
    loop.resume();
    screen.play([all.at(-1)! + 10_016.7 + 5000]);
    expect(lost).toEqual([expect.closeTo(4.75 / 2, 6)]);
    expect(loop.alpha).toBeLessThanOrEqual(1);
  });

  test("owes a step that threw, and keeps its alignment", () => {
    let isBad = false;
    const { loop, screen } = onDisplay({
      rate: 60,
      step() {
        if (isBad) throw new Error("mine");
      },
    });
    const all = stamps({ refresh: 60, seconds: 1, grid: 0.1 });
    screen.play(all);
    const { tick } = loop;
    isBad = true;
    expect(() => screen.play([all.at(-1)! + 16.7])).toThrow("mine");
    expect(loop.tick).toBe(tick);
    isBad = false;
    loop.advance(0);
    expect([loop.tick, loop.alpha]).toEqual([tick + 1, 1]);
  });

  test("measures refresh rate, dropped frames and judder", () => {
    const { loop, screen } = onDisplay({ rate: 60 });
    const figures = measure(loop, () => 0);
    const frames = displayFrames({ refresh: 60, seconds: 20, grid: 0.1, drops: 0.02, seed: 2 });
    screen.play(frames.map(({ stamp }) => stamp));
    const missed = frames.slice(10).reduce((sum, { refreshes }) => sum + refreshes - 1, 0);
    expect(figures.droppedFrames).toBe(missed);
    expect(1000 / screen.info.period).toBeCloseTo(60, 2);
    expect(screen.info).toMatchObject({ locked: true, coarse: false });
    expect(figures.recent.moveError).toBeLessThan(0.005);
    expect(figures.recent.worstJudder).toBeCloseTo(1, 2);
    expect(figures.irregularFrames).toBe(0);
  });

  test("knows when a tick is shown, with a display or without", () => {
    for (const [rate, refresh] of [
      [10, 60],
      [20, 144],
      [60, 144],
    ] as const)
      for (const driver of [manualDisplay(), manualDriver()]) {
        const loop = new Loop({ rate });
        loop.start(driver);
        const all = stamps({ refresh, seconds: 6 });
        const half = all.length / 2;
        driver.play(all.slice(0, half));
        const goal = loop.tick + 2 * rate;
        const told = timestampOf(loop, goal);
        const shown = all.slice(half).find((stamp) => {
          driver.play([stamp]);
          return loop.frame.shownTime >= goal / rate - 1e-9;
        })!;
        expect(Math.abs(shown - told)).toBeLessThanOrEqual(1000 / refresh + 0.01);
      }
  });

  test("is at most half a step ahead or behind, at any time scale", () => {
    for (const refresh of [60, 60.06, 59.94, 120, 144])
      for (const [slow, from, to] of [
        [0.25, 27, 232],
        [0.37, 680, 770],
        [0.5, 100, 333],
        [1000, 50, 60],
      ] as const) {
        const { loop, screen } = onDisplay({ rate: 60 });
        const [first, ...all] = stamps({ refresh, seconds: 20 });
        screen.play([first!]);
        for (const [i, stamp] of all.entries()) {
          if (i === from) timeScale(loop).set(slow);
          if (i === to) timeScale(loop).set(1);
          screen.play([stamp]);
          const { lead, step } = loop.kernel;
          expect(Math.abs(lead / step - 1)).toBeLessThanOrEqual(0.505);
        }
      }
  });
});

describe("presets", () => {
  let request: ((timestamp: number) => void) | undefined;
  const run = (refresh: number, seconds: number) => {
    for (const stamp of stamps({ refresh, seconds, grid: 0.1 })) request?.(stamp);
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.stubGlobal("requestAnimationFrame", (frame: typeof request) => ((request = frame), 1));
    vi.stubGlobal("cancelAnimationFrame", () => (request = undefined));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each(Object.entries({ desktop, web, mobile }))("%s runs on a display", (_, preset) => {
    let frames = 0;
    const loop = preset({ render: () => void frames++ });
    run(60, 4);
    expect(Math.abs(loop.time - 4)).toBeLessThan(0.05);
    expect([loop.lostSeconds, frames]).toEqual([0, 240]);
    loop.stop();
  });

  test.each(Object.entries({ server, networkTick }))("%s runs on a timer", (_, preset) => {
    const loop = preset({});
    vi.advanceTimersByTime(4000);
    expect(Math.abs(loop.time - 4)).toBeLessThan(0.06);
    loop.stop();
  });

  test("consoleLike runs one step per refresh", async () => {
    const found = consoleLike({});
    run(59.94, 2);
    const loop = await found;
    const figures = measure(loop, () => 0);
    run(59.94, 60);
    expect(loop.rate[0] / loop.rate[1]).toBeCloseTo(59.94, 2);
    expect([loop.alpha, figures.irregularFrames]).toEqual([1, 0]);
    loop.stop();
  });
});
