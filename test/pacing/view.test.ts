import { describe, expect, test } from "vitest";
import { displayFrames } from "../../scenes/display.js";
import { CLOCKS } from "../../scenes/score.js";
import type { LoopOptions } from "../../src/index.js";
import * as presets from "../../src/loop/presets.js";
import { manualLoop } from "../../src/testing/index.js";

const stamps = (options: Parameters<typeof displayFrames>[0]) =>
  displayFrames(options).map(({ stamp }) => stamp);

/** Runs a loop on a simulated display. Returns it with the real seconds at which it drew. */
function drawn(options: Partial<Omit<LoopOptions, "driver">>, display: Parameters<typeof displayFrames>[0]) {
  const frames = displayFrames(display);
  const times: number[] = [];
  let now = 0;
  let delta = 0;
  let steps = 0;
  const loop = manualLoop({
    rate: 60,
    pacing: "display",
    ...options,
    render(info) {
      times.push(now);
      delta += info.delta;
      steps += info.steps;
    },
  });
  for (const { stamp, vsync } of frames) {
    now = vsync;
    loop.driver.play([stamp]);
  }
  const seconds = (frames.at(-1)!.vsync - frames[0]!.vsync) / 1000;
  return { loop, times, seconds, delta, steps, frames };
}

describe("frameCap", () => {
  describe.each([60, 59.94, 75, 120, 144, 165, 240])("of 60 at %f Hz", (refresh) => {
    test.each(Object.entries(CLOCKS))("on the clock of %s", (_, clock) => {
      const { loop, times, seconds, delta, steps } = drawn(
        { frameCap: 60 },
        { refresh, seconds: 60, ...clock, seed: 4 },
      );
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
    const loop = manualLoop({ rate: 60, pacing: "display", frameCap: 30, step: () => {} });
    for (const stamp of stamps({ refresh: 60, seconds: 2, grid: 0.1 })) {
      loop.driver.play([stamp]);
      ticks.push(loop.tick);
    }
    const steps = ticks.slice(1).map((tick, i) => tick - ticks[i]!);
    expect(new Set(steps)).toEqual(new Set([1]));
  });

  test('"half" draws every second frame on any display', () => {
    for (const refresh of [60, 90, 144]) {
      const { times, frames } = drawn({ frameCap: "half" }, { refresh, seconds: 10, grid: 0.1 });
      expect(times.length).toBe(Math.ceil(frames.length / 2));
    }
  });

  test("may change at any time; Infinity removes it", () => {
    let count = 0;
    const loop = manualLoop({ rate: 60, frameCap: 30, render: () => void count++ });
    loop.driver.display(60, 1);
    expect(count).toBe(31);
    loop.configure({ frameCap: Infinity });
    loop.driver.display(60, 1);
    expect(count).toBe(91);
    loop.configure({ frameCap: [1, 2] });
    loop.driver.display(60, 10);
    expect(count).toBe(96);
  });

  test("a drawn frame includes those left out, even if the cap changes", () => {
    let real = 0;
    let steps = 0;
    const loop = manualLoop({
      rate: 60,
      frameCap: 10,
      render(info) {
        real += info.realDelta;
        steps += info.steps;
      },
    });
    for (let i = 0; i < 120; i++) {
      loop.driver.display(60, 1 / 60);
      if (i % 3 === 0) loop.configure({ frameCap: i % 2 ? 10 : 7 });
    }
    loop.configure({ frameCap: Infinity });
    loop.driver.display(60, 1 / 60);
    expect(real).toBeCloseTo(121 / 60, 9);
    expect(steps).toBe(loop.tick);
  });

  test("setting the same cap changes nothing; reset starts again", () => {
    let frames = 0;
    let last = 0;
    const loop = manualLoop({
      rate: 60,
      frameCap: 10,
      render: ({ steps }) => void (frames++, (last = steps)),
    });
    for (let i = 0; i < 60; i++) {
      loop.driver.display(60, 1 / 60);
      loop.configure({ frameCap: 10 });
    }
    expect(frames).toBe(11);
    loop.driver.display(60, 3 / 60);
    loop.reset();
    loop.driver.display(60, 1 / 60);
    expect([frames, last]).toEqual([12, 0]);
  });

  test("draws frames of runSteps", () => {
    let count = 0;
    const loop = manualLoop({ rate: 60, frameCap: 1, render: () => void count++ });
    loop.runSteps();
    loop.runSteps();
    expect(count).toBe(2);
  });
});

describe("present", () => {
  test("latest shows the last state", () => {
    for (const pacing of ["raw", "display"] as const) {
      const loop = manualLoop({ rate: 60, pacing, present: "latest" });
      for (let i = 1; i < 20; i++) {
        loop.advance(0.007);
        expect([loop.alpha, loop.shownTime]).toEqual([1, loop.time]);
      }
      expect(loop.stats.frameTime).toBeCloseTo(0.007, 12);
    }
  });

  test("cannot change after the first frame", () => {
    const loop = manualLoop({ rate: 60 });
    loop.configure({ present: "latest", pacing: "display" });
    expect([loop.present, loop.pacing]).toEqual(["latest", "display"]);
    loop.advance(0.1);
    expect(() => loop.configure({ present: "interpolate" })).toThrow(
      "Loop.configure: cannot change present after the first frame. Call reset() first.",
    );
    expect(() => loop.configure({ pacing: "raw" })).toThrow("reset() first");
    loop.configure({ pacing: "display", present: "latest" });
    loop.reset();
    loop.configure({ pacing: "raw" });
    loop.advance(0.1);
    expect([loop.pacing, loop.lead, loop.overstep]).toEqual(["raw", 0, 0]);
  });
});

describe("rate: display", () => {
  test.each([
    [60, CLOCKS.chrome],
    [59.94, CLOCKS.chrome],
    [143.981, CLOCKS.chrome],
    [120, CLOCKS.coarse],
  ])("%f Hz is found, told, and gone together with", (refresh, clock) => {
    const told: unknown[] = [];
    const loop = manualLoop({ rate: "display", pacing: "display" });
    loop.on("rate", ([numerator, denominator]) => void told.push(numerator / denominator, loop.tick));
    const all = stamps({ refresh, seconds: 20, ...clock });
    loop.driver.play(all.slice(0, 20));
    expect([told, loop.tick]).toEqual([[], 0]);
    loop.driver.play(all.slice(20, 200));
    expect(told.length).toBe(2);
    expect(Math.abs((told[0] as number) - refresh)).toBeLessThan(refresh / 1000);
    expect(Math.round((told[0] as number) * 1000) / 1000).toBe(told[0]);
    const { tick } = loop;
    loop.driver.play(all.slice(200));
    expect(loop.tick - tick).toBe(all.length - 200);
    expect(loop.stats.irregularFrames).toBe(0);
    expect(told.length).toBe(2);
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
        const loop = manualLoop({ rate: "display", pacing: "display" });
        loop.driver.play(stamps({ refresh, seconds: 8, spells: [[0, seconds, every]], ...clock }));
        expect(Math.abs(loop.rate[0] / loop.rate[1] / refresh - 1)).toBeLessThan(0.001);
      }
    },
  );

  test("finds a 30 Hz display", () => {
    const loop = manualLoop({ rate: "display", pacing: "display" });
    loop.driver.play(stamps({ refresh: 30, seconds: 8, grid: 0.1 }));
    expect(loop.rate).toEqual([30, 1]);
  });

  test("falls back to 60 Hz without a steady rate", () => {
    const loop = manualLoop({ rate: "display", pacing: "display" });
    let told = 0;
    loop.on("rate", () => void told++);
    loop.driver.play(stamps({ refresh: [48, 144], seconds: 20, seed: 3 }));
    expect([told, loop.rate]).toEqual([1, [60, 1]]);
    expect(loop.tick).toBeGreaterThan(600);
  });

  test.each([
    [1, 60],
    [2, 120],
    [4, 240],
    [32, 1920],
    [1 / 2, 30],
    [1 / 3, 20],
    [1 / 32, 1.875],
  ])("{ display: %f } is %f steps per second on 60 Hz", (display, rate) => {
    const loop = manualLoop({ rate: { display }, pacing: "display" });
    expect(loop.rate[0] / loop.rate[1]).toBe(rate);
    loop.driver.play(stamps({ refresh: 60, seconds: 3, grid: 0.1 }));
    expect(loop.rate[0] / loop.rate[1]).toBe(rate);
  });

  test.each([2, 3, 8, 32])("{ display: %i } runs as many steps in each refresh", (display) => {
    for (const clock of Object.values(CLOCKS))
      for (const refresh of [59.94, 60, 75, 120]) {
        const loop = manualLoop({ rate: { display }, pacing: "display", present: "latest" });
        const all = stamps({ refresh, seconds: 16, ...clock, seed: refresh });
        const first = all.findIndex((stamp) => stamp - all[0]! > 6000);
        loop.driver.play(all.slice(0, first));
        for (const stamp of all.slice(first)) {
          const { tick } = loop;
          loop.driver.play([stamp]);
          expect(loop.tick - tick).toBe(display);
        }
        expect(Math.abs(loop.rate[0] / loop.rate[1] / display / refresh - 1)).toBeLessThan(0.001);
      }
  });

  test.each([2, 3, 5])(
    "{ display: 1 / %i } runs one step per that many refreshes, evenly blended",
    (every) => {
      for (const clock of [CLOCKS.chrome, CLOCKS.coarse, CLOCKS.firefox]) {
        const loop = manualLoop({ rate: { display: 1 / every }, pacing: "display" });
        const all = stamps({ refresh: 59.94, seconds: 16, ...clock, seed: every });
        loop.driver.play(all.slice(0, 360));
        const alphas = new Set<string>();
        for (let i = 360; i + every <= all.length; i += every) {
          const { tick } = loop;
          for (const stamp of all.slice(i, i + every)) {
            loop.driver.play([stamp]);
            alphas.add(loop.alpha.toFixed(1));
          }
          expect(loop.tick - tick).toBe(1);
        }
        expect(alphas.size).toBe(every);
      }
    },
  );

  test("the picture never runs backwards if the display changes after its rate was found", () => {
    for (const clock of Object.values(CLOCKS)) {
      const loop = manualLoop({ rate: { display: 2 }, pacing: "display" });
      let shown = 0;
      const changes = [
        [8, 144],
        [12, 59.94],
      ] as const;
      const frames = displayFrames({ refresh: 60, seconds: 40, changes, ...clock, drops: 0.01 });
      for (const { stamp } of frames) {
        loop.driver.play([stamp]);
        expect(loop.shownTime).toBeGreaterThanOrEqual(shown);
        shown = loop.shownTime;
      }
      // Only while the rate was measured was no time simulated.
      const seconds = (frames.at(-1)!.vsync - frames[0]!.vsync) / 1000;
      expect(seconds - loop.shownTime).toBeLessThan(5.1);
      expect(seconds - loop.shownTime).toBeGreaterThan(0.9);
    }
  });

  test("{ display: 2 } falls back to 120 Hz without a steady rate", () => {
    const loop = manualLoop({ rate: { display: 2 }, pacing: "display" });
    loop.driver.play(stamps({ refresh: [48, 144], seconds: 20, seed: 3 }));
    expect(loop.rate).toEqual([120, 1]);
  });

  test.each([0, -1, 1.5, 2 / 3, 0.3333, 33, 1 / 33, NaN, Infinity, "2", null, undefined])(
    "rejects { display: %s }",
    (display) => {
      expect(() => manualLoop({ rate: { display: display as number }, pacing: "display" })).toThrow(
        "Loop: rate.display must be a whole number of steps per refresh, or 1 divided by a whole number, both up to 32, got",
      );
    },
  );

  test("rejects other names in { display }", () => {
    const rate = { display: 2, refresh: 60 };
    expect(() => manualLoop({ rate, pacing: "display" })).toThrow('Loop: unknown option "rate.refresh"');
    expect(() => manualLoop({ rate: {} as { display: number } })).toThrow("Loop: rate must be");
    expect(() => manualLoop({ rate: { display: 2 } })).toThrow('Loop: pacing must be "display"');
  });

  test("throws if there is no display", () => {
    expect(() => manualLoop({ rate: "display" })).toThrow(
      'Loop: pacing must be "display" if rate is "display", got "raw".',
    );
  });

  test("until the rate is known, frames are drawn and nothing is stepped", () => {
    let frames = 0;
    let real = 0;
    const loop = manualLoop({
      rate: "display",
      pacing: "display",
      frameCap: 30,
      render({ realDelta, delta, steps }) {
        frames++;
        real += realDelta;
        expect([delta, steps]).toEqual([0, 0]);
      },
    });
    loop.driver.play(stamps({ refresh: 60, seconds: 0.41 }));
    expect([frames, loop.tick]).toEqual([13, 0]);
    expect(real).toBeCloseTo(0.4, 10);
    for (const run of [() => loop.runSteps(), () => loop.advance(0.1)])
      expect(run).toThrow("the display's rate is not known yet");
  });

  test("setting a rate ends the wait, even the default one", () => {
    const loop = manualLoop({ rate: "display", pacing: "display" });
    const all = stamps({ refresh: 144, seconds: 2 });
    loop.driver.play(all.slice(0, 5));
    loop.configure({ rate: 60 });
    loop.driver.play(all.slice(5));
    expect(loop.rate).toEqual([60, 1]);
    expect(loop.tick).toBeGreaterThan(100);
  });

  test("a rate listener may stop the loop, or throw", () => {
    let frames = 0;
    const loop = manualLoop({ rate: "display", pacing: "display", render: () => void frames++ });
    let drawn = 0;
    loop.on("rate", () => {
      drawn = frames;
      loop.stop();
    });
    loop.driver.play(stamps({ refresh: 60, seconds: 2 }));
    expect([loop.running, frames, drawn > 0]).toEqual([false, drawn, true]);

    const other = manualLoop({ rate: "display", pacing: "display" });
    other.on("rate", () => {
      throw new Error("mine");
    });
    expect(() => other.driver.play(stamps({ refresh: 60, seconds: 2 }))).toThrow("mine");
    expect(other.running).toBe(false);
  });

  test("rejected settings change nothing", () => {
    const loop = manualLoop({ rate: "display", pacing: "display" });
    expect(() => loop.configure({ pacing: "raw", maxSteps: 3, frameCap: 5 })).toThrow(
      'must be "display" if rate is "display"',
    );
    expect(loop.pacing).toBe("display");
    loop.driver.play(stamps({ refresh: 60, seconds: 2 }));
    loop.advance(0.2);
    expect(loop.stats.overloads).toBe(0);
  });

  test("stays after a reset; setting a rate ends the wait", () => {
    const loop = manualLoop({ rate: "display", pacing: "display" });
    loop.driver.play(stamps({ refresh: 75, seconds: 2, grid: 0.1 }));
    expect(loop.rate).toEqual([75, 1]);
    loop.reset();
    expect([loop.rate, loop.tick]).toEqual([[75, 1], 0]);
    loop.configure({ rate: 50 });
    expect(loop.rate).toEqual([50, 1]);
  });
});

describe("display counting", () => {
  test("shows the newest state on the lattice: alpha is 1", () => {
    const loop = manualLoop({ rate: 60, pacing: "display" });
    loop.driver.play(stamps({ refresh: 60, seconds: 10, grid: 0.1 }));
    expect(loop.alpha).toBe(1);
    expect(Math.abs(loop.lead)).toBeLessThan(0.001);
    expect(loop.overstep).toBe(0);
  });

  test("pauses, scales and loses time like raw pacing", () => {
    const lost: number[] = [];
    const loop = manualLoop({ rate: 60, pacing: "display", timeScale: 0.5 });
    loop.on("overload", (info) => void lost.push(info.lost));
    const all = stamps({ refresh: 60, seconds: 10, grid: 0.1 });
    loop.driver.play(all);
    expect(loop.time).toBeCloseTo(5, 1);
    loop.pause();
    const { tick } = loop;
    loop.driver.play(all.map((stamp) => stamp + 10_016.7));
    expect(loop.tick).toBe(tick);
    loop.resume();
    loop.driver.play([all.at(-1)! + 10_016.7 + 5000]);
    expect(lost).toEqual([expect.closeTo(4.75 / 2, 6)]);
    expect(loop.alpha).toBeLessThanOrEqual(1);
  });

  test("a failed frame restores lead and overstep", () => {
    let isBad = false;
    const loop = manualLoop({
      rate: 60,
      pacing: "display",
      step() {
        if (isBad) throw new Error("mine");
      },
    });
    const all = stamps({ refresh: 60, seconds: 1, grid: 0.1 });
    loop.driver.play(all);
    const before = [loop.lead, loop.overstep, loop.tick];
    isBad = true;
    expect(() => loop.driver.play([all.at(-1)! + 16.7])).toThrow("mine");
    expect([loop.lead, loop.overstep, loop.tick]).toEqual(before);
  });

  test("measures refresh rate, dropped frames and judder", () => {
    const loop = manualLoop({ rate: 60, pacing: "display" });
    const frames = displayFrames({ refresh: 60, seconds: 20, grid: 0.1, drops: 0.02, seed: 2 });
    loop.driver.play(frames.map(({ stamp }) => stamp));
    const missed = frames.slice(10).reduce((sum, { refreshes }) => sum + refreshes - 1, 0);
    expect(loop.stats.droppedFrames).toBe(missed);
    expect(1 / loop.display!.period).toBeCloseTo(60, 2);
    expect(loop.display).toMatchObject({ locked: true, coarse: false });
    expect(loop.stats.recent.moveError).toBeLessThan(0.005);
    expect(loop.stats.recent.worstJudder).toBeCloseTo(1, 2);
    expect(loop.stats.irregularFrames).toBe(0);
  });

  test("timestampOf returns when the newest state is shown", () => {
    for (const [rate, refresh] of [
      [10, 60],
      [20, 144],
      [60, 144],
    ] as const)
      for (const pacing of ["raw", "display"] as const) {
        const loop = manualLoop({ rate, pacing, present: "latest" });
        const all = stamps({ refresh, seconds: 6 });
        const half = all.length / 2;
        loop.driver.play(all.slice(0, half));
        const goal = loop.tick + 2 * rate;
        const told = loop.timestampOf(goal);
        const shown = all.slice(half).find((stamp) => {
          loop.driver.play([stamp]);
          return loop.tick >= goal;
        })!;
        expect(Math.abs(shown - told)).toBeLessThanOrEqual(1000 / refresh + 0.01);
      }
  });

  test("the lead is at most half a step at any time scale", () => {
    for (const refresh of [60, 60.06, 59.94, 120, 144])
      for (const [slow, from, to] of [
        [0.25, 27, 232],
        [0.37, 680, 770],
        [0.5, 100, 333],
        [1000, 50, 60],
      ] as const) {
        const loop = manualLoop({ rate: 60, pacing: "display" });
        stamps({ refresh, seconds: 20 }).forEach((stamp, i) => {
          if (i === from) loop.timeScale = slow;
          if (i === to) loop.timeScale = 1;
          loop.driver.play([stamp]);
          expect(Math.abs(loop.lead)).toBeLessThanOrEqual(0.505 / 60);
        });
      }
  });

  test("timestampOf returns when the next beat is shown", () => {
    const loop = manualLoop({ rate: 60, pacing: "display" });
    const all = stamps({ refresh: 60, seconds: 5, grid: 0.1 });
    loop.driver.play(all);
    expect(loop.timestampOf(loop.tick + 60) - all.at(-1)!).toBeCloseTo(1000, 0);
  });
});

describe("presets", () => {
  test.each(Object.entries(presets))("%s runs", (_, preset) => {
    const loop = manualLoop({ ...preset, pacing: "display" });
    loop.driver.play(stamps({ refresh: 60, seconds: 4, grid: 0.1 }));
    expect(loop.tick).toBeGreaterThan(60);
    expect(loop.stats.lostSeconds).toBe(0);
  });

  test("consoleLike runs one step per refresh", () => {
    const loop = manualLoop({ ...presets.consoleLike, pacing: "display" });
    loop.driver.play(stamps({ refresh: 59.94, seconds: 60, grid: 0.1 }));
    expect(loop.rate[0] / loop.rate[1]).toBeCloseTo(59.94, 2);
    expect([loop.alpha, loop.stats.irregularFrames]).toEqual([1, 0]);
  });
});
