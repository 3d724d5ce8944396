import { describe, expect, test } from "vitest";
import { displayFrames, type DisplayOptions as Scene } from "../../scenes/display.js";
import { catchUp, Loop, measure, timeScale } from "../loop/index.js";
import type { DisplayOptions, DriverNotice, LoopOptions } from "../loop/index.js";
import { onePerFrame, variable } from "../loop/stepping.js";
import { drive, localSession, simulation } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { manualDisplay, manualDriver, manualLoop } from "../testing/index.js";
import { diagnose } from "./diagnose.js";

const kindsOf = (loop: Loop) => diagnose(loop).map(({ kind }) => kind);
const textOf = (loop: Loop, kind: string) => diagnose(loop).find((found) => found.kind === kind)?.text;

/** Starts and measures a loop on a display with manual time. */
function displayLoop(options: LoopOptions, { frameCap }: Pick<DisplayOptions, "frameCap"> = {}) {
  const loop = new Loop(options);
  // Timestamps that are multiples of the refresh would look like those of a coarse clock.
  const driver = manualDisplay({ frameCap }, 5);
  measure(loop);
  loop.start(driver);
  return { loop, driver };
}
/** Starts and measures a loop with manual time. */
function measuredLoop(options: LoopOptions) {
  const loop = manualLoop(options);
  measure(loop);
  return loop;
}
const stampsOf = (scene: Scene) => displayFrames(scene).map(({ stamp }) => stamp);

/** Runs a loop on a simulated display. */
function runOn(scene: Scene, options: LoopOptions, frameCap?: DisplayOptions["frameCap"]) {
  const { loop, driver } = displayLoop(options, { frameCap });
  driver.play(stampsOf(scene));
  return loop;
}
const STEADY = { refresh: 60, seconds: 6, grid: 0.1 };

describe("no problem", () => {
  test.each([
    [60, 60],
    [59.94, 60],
    [144, 60],
    [75, 60],
    [144, 144],
    [60, 75],
  ])("on a %d Hz display at a rate of %d Hz", (refresh, rate) => {
    expect(diagnose(runOn({ ...STEADY, refresh }, { rate }))).toEqual([]);
  });

  test("for one dropped frame in four seconds", () => {
    const loop = runOn({ ...STEADY, stalls: [[4, 0.01]] }, { rate: 60 });
    expect([measure(loop).droppedFrames, diagnose(loop)]).toEqual([1, []]);
  });

  test("for a loop that is advanced by hand in Node", () => {
    const loop = new Loop({ rate: 60 });
    for (let frame = 0; frame < 300; frame++) {
      loop.advance(1 / 60);
      expect(diagnose(loop)).toEqual([]);
    }
  });

  test("for two steps per frame at a time scale of 2", () => {
    const { loop, driver } = displayLoop({ rate: 60 });
    timeScale(loop).set(2);
    driver.play(stampsOf(STEADY));
    expect(diagnose(loop)).toEqual([]);
  });
});

describe("the loop does not run", () => {
  test("not started", () => {
    const loop = new Loop({ rate: 60 });
    expect(diagnose(loop)).toEqual([
      { kind: "unstarted", text: "The loop has not been started. Call loop.start(display())." },
    ]);
    loop.start(manualDriver());
    expect(diagnose(loop)).toEqual([]);
  });

  test("paused", () => {
    const loop = runOn(STEADY, { rate: 60 });
    loop.pause();
    expect(textOf(loop, "paused")).toBe(
      "The loop is paused: frames are drawn, but no steps run. Call loop.resume().",
    );
    loop.resume();
    expect(diagnose(loop)).toEqual([]);
  });

  test("a time scale of 0", () => {
    const { loop, driver } = displayLoop({ rate: 60 });
    timeScale(loop).set(0);
    driver.play(stampsOf(STEADY));
    expect(diagnose(loop).map(({ text }) => text)).toEqual([
      "The time scale is 0: frames are drawn, but no steps run. Call timeScale(loop).set(1).",
    ]);
    timeScale(loop).set(1);
    timeScale(loop).hitStop(1);
    expect(diagnose(loop)).toEqual([]);
  });

  test("a hidden and a throttled page, as reported by the driver", () => {
    const { loop } = displayLoop({ rate: 60 });
    const after = (kind: DriverNotice["kind"], reason = "") => {
      loop.emit("driver", { kind, reason });
      return diagnose(loop);
    };
    expect(after("hidden")).toEqual([
      { kind: "hidden", text: expect.stringContaining("display({ hidden: runHidden() })") },
    ]);
    expect(after("throttled", "blocked")).toEqual([
      {
        kind: "throttled",
        text: "The page is hidden and cannot start a worker (blocked), so frames come about once per second. Allow worker-src blob: in its content security policy.",
      },
    ]);
    expect(after("shown")).toEqual([]);
    after("hidden");
    loop.stop();
    loop.start();
    expect(diagnose(loop)).toEqual([]);
  });
});

describe("time", () => {
  test("lost in a stall, with cheap steps", () => {
    const loop = measuredLoop({ rate: 50, step: () => loop.driver.spend(0.002) });
    loop.driver.display(50, 1);
    loop.driver.wait(1.25);
    expect(textOf(loop, "lost")).toBe(
      "1.002 s were lost in 1 of the last 52 frames: the game ran slow. Steps are cheap (2.0 ms), so something else stalls. Stop the loop meanwhile.",
    );
  });

  test("lost in every frame, because a limit is too low", () => {
    const loop = measuredLoop({ rate: 120, maxSteps: 1 });
    loop.driver.display(60, 5);
    expect(textOf(loop, "lost")).toMatch(
      /the game ran slow\. Most frames hit a limit: raise maxSteps, maxFrameTime or the step budget, or lower the rate\.$/,
    );
  });

  test("forgotten after 256 frames", () => {
    const loop = measuredLoop({ rate: 50 });
    loop.driver.wait(1.25);
    expect(kindsOf(loop)).toContain("lost");
    loop.driver.display(50, 6);
    expect(diagnose(loop)).toEqual([]);
  });

  test("owed under catchUp", () => {
    const loop = measuredLoop({ rate: 50 });
    catchUp(loop, 2);
    loop.driver.wait(1.25);
    expect(textOf(loop, "debt")).toMatch(
      /^1\.000 s are still owed, and the game runs fast to catch up\. Steps are cheap/,
    );
  });
});

describe("costs", () => {
  /** Runs a 50 Hz loop for eight seconds. `step` and `draw` are costs in seconds. */
  const costing = (step: number, draw: number) => {
    const loop: ReturnType<typeof manualLoop> = measuredLoop({
      rate: 50,
      step: () => loop.driver.spend(step),
      render: () => loop.driver.spend(draw),
    });
    loop.driver.display(50, 8);
    return loop;
  };

  test("no problem at half of the time", () => expect(diagnose(costing(0.009, 0.001))).toEqual([]));

  test("steps that leave little time to catch up", () => {
    expect(diagnose(costing(0.012, 0))).toEqual([
      {
        kind: "load",
        text: "A step costs 12.0 ms of the 20.0 ms that it simulates (load 60 %): little time is left to catch up. Make steps cheaper, or lower the rate.",
      },
    ]);
  });

  test("steps that take longer than the time they simulate", () => {
    expect(textOf(costing(0.025, 0), "load")).toMatch(/\(load 125 %\): it can never catch up\./);
  });

  test("drawing that takes the whole frame", () => {
    expect(diagnose(costing(0.002, 0.017))).toEqual([
      {
        kind: "frame-cost",
        text: "A frame costs 19.0 ms (steps 2.0 ms, drawing 17.0 ms) of its 20.0 ms. Draw less.",
      },
    ]);
  });
});

describe("the display", () => {
  test("is slower than the rate", () => {
    expect(diagnose(runOn(STEADY, { rate: 120 }))).toEqual([
      {
        kind: "slow-display",
        text: "Every frame runs 2.0 steps: the display (60 Hz) is slower than the rate (120 Hz). That is fine if steps are cheap; otherwise lower the rate.",
      },
    ]);
    const raw = measuredLoop({ rate: 100 });
    raw.driver.display(20, 15);
    expect(textOf(raw, "slow-display")).toMatch(/runs 5\.0 steps: the driver \(20 Hz\)/);
  });

  test("drops frames", () => {
    const loop = runOn({ ...STEADY, drops: 0.1 }, { rate: 60 });
    const { droppedFrames, frames } = measure(loop).recent;
    expect(droppedFrames).toBeGreaterThan(10);
    expect(textOf(loop, "dropped")).toMatch(
      new RegExp(
        `^${droppedFrames} of the last ${droppedFrames + frames} refreshes had no frame in time .* A frame costs 0\\.0 ms on average: look for occasional slow work\\.$`,
      ),
    );
  });

  test("is not divided by the frame cap", () => {
    expect(textOf(runOn({ ...STEADY, refresh: 75 }, { rate: 60 }, 60), "frame-cap")).toBe(
      'The frame cap does not divide the display\'s rate (75 Hz): some frames stay one refresh longer, and the picture judders by 63.1 %. Set frameCap to 37.5 Hz or "half".',
    );
    expect(diagnose(runOn({ ...STEADY, refresh: 120 }, { rate: 60 }, 60))).toEqual([]);
    expect(diagnose(runOn({ ...STEADY, refresh: 75 }, { rate: 60 }, "half"))).toEqual([]);
  });

  test("shows the newest state, which is not in sync with it", () => {
    const game = simulation({ name: "s", version: 1, rate: 60, state: layout({ x: f64 }), step() {} });
    const shown = (refresh: number) => {
      const driver = manualDisplay();
      const { loop } = drive(localSession(game), { driver, present: "latest" });
      measure(loop);
      driver.play(stampsOf({ ...STEADY, refresh }));
      return diagnose(loop);
    };
    expect(shown(144)).toEqual([
      {
        kind: "latest",
        text: 'Only the newest state is shown, and steps (60 Hz) are not in sync with refreshes (144 Hz). Leave out present: "latest".',
      },
    ]);
    expect(shown(60)).toEqual([]);
  });

  test("is close to the rate, but not equal", () => {
    const loop = runOn({ ...STEADY, refresh: 61 }, { rate: 60 });
    expect(diagnose(loop)).toEqual([
      {
        kind: "irregular",
        text: `${measure(loop).recent.irregularFrames} of the last ${measure(loop).recent.frames} frames ran more or fewer steps than the others: the rate (60 Hz) is close to a multiple of the display's (61 Hz), but not exactly. Use await display().rate(), or a rate further away.`,
      },
    ]);
  });

  test("is not followed by onePerFrame stepping", () => {
    const loop = runOn({ ...STEADY, refresh: 144 }, { rate: 60, stepping: onePerFrame() });
    expect(textOf(loop, "judder")).toMatch(/^The picture moves unevenly, by [\d.]+ % of a refresh:/);
  });

  test("has no steady refresh rate", () => {
    const loop = runOn({ ...STEADY, refresh: [48, 144] }, { rate: 60 });
    expect(diagnose(loop)).toEqual([
      {
        kind: "unsteady",
        text: expect.stringMatching(/^No steady refresh rate was found in \d+ frames/),
      },
    ]);
  });

  test.each([
    [60, ["coarse"]],
    [144, ["coarse"]],
    [125, []],
    [50, []],
  ])("of %d Hz with a clock of whole milliseconds", (refresh, kinds) => {
    expect(kindsOf(runOn({ ...STEADY, refresh, grid: 1 }, { rate: refresh }))).toEqual(kinds);
  });
});

test("begins to measure a loop", () => {
  const loop = manualLoop({ rate: 50 });
  loop.driver.wait(1.25);
  expect(diagnose(loop)).toEqual([]);
  loop.driver.wait(1.25);
  expect(kindsOf(loop)).toEqual(["lost"]);
});

test("attaches nothing else, and contains no part that the loop does not use", () => {
  const loop = manualLoop({ rate: 50 });
  diagnose(loop);
  expect(loop.parts.map(({ name }) => name)).toEqual(["measure"]);
});

test("a diagnosis converts to its text", () => {
  const loop = manualLoop({ rate: 60 });
  loop.pause();
  const [first] = diagnose(loop);
  expect(`${first}`).toBe(first!.text);
});

test("frames that take two refreshes are too slow, not the display", () => {
  let cost = 0.001;
  const { loop, driver } = displayLoop({ rate: 60, render: () => driver.spend(cost) });
  driver.display(60, 2);
  cost = 0.02;
  driver.display(60, 8);
  expect(diagnose(loop).map(({ text }) => text)).toEqual([
    "Each frame takes 2 refreshes: frames come at 30 Hz on a 60 Hz display. Unless the display changed or saves power, steps and drawing take too long. A frame costs 20.0 ms: make them cheaper.",
  ]);
});

test("counts drops if every second frame is late from the start", () => {
  const { loop, driver } = displayLoop({ rate: 20, step: () => driver.spend(0.018) });
  driver.display(60, 10);
  expect(driver.info.locked).toBe(true);
  expect(diagnose(loop).map(({ kind }) => kind)).toContain("dropped");
});

test("other steppings have no irregular frames", () => {
  const { loop, driver } = displayLoop({ rate: 120, stepping: variable() });
  driver.display(60, 5);
  expect([measure(loop).irregularFrames, diagnose(loop)]).toEqual([0, []]);
});

test("reports a loop that an error stopped", () => {
  let isBad = true;
  const loop = manualLoop({
    rate: 60,
    render({ tick }) {
      if (isBad && tick > 30) throw new Error("mine");
    },
  });
  expect(() => loop.driver.display(60, 2)).toThrow("mine");
  expect(kindsOf(loop)).toEqual(["stopped"]);
  isBad = false;
  loop.start();
  expect(kindsOf(loop)).toEqual([]);
});
