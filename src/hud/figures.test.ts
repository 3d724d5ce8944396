import { expect, test } from "vitest";
import { Loop, measure, type LoopOptions } from "../loop/index.js";
import { manualDisplay, manualDriver, manualLoop } from "../testing/index.js";
import { figuresOf, monitorsOf } from "./figures.js";
import { FrameMemory } from "./frame-memory.js";

/** The figures after `seconds` on a 50 Hz display. */
function figures(options: LoopOptions, seconds: number, driver = manualDriver()) {
  const loop = new Loop(options);
  const memory = new FrameMemory();
  measure(loop);
  loop.start(driver);
  loop.on("render", ({ realDelta, steps, alpha }) => memory.add(realDelta, steps, alpha));
  if (seconds > 0) driver.display(50, seconds);
  return figuresOf(loop, memory);
}

test("before the first frame", () => {
  expect(figures({ rate: [60000, 1001] }, 0)).toEqual({
    fps: "–",
    tick: "0",
    frame: "–",
    refresh: "–",
    steps: "0.00",
    rate: "59.94 Hz",
    alpha: "0.00",
    judder: "–",
    lost: "0.00 s",
    dropped: "–",
    step: "0.0 ms",
    draw: "0.0 ms",
  });
});

test("without and with a display", () => {
  const raw = { fps: "50.0", tick: "1000", frame: "20.00 ms", refresh: "–", steps: "2.00", rate: "100 Hz" };
  expect(figures({ rate: 100 }, 10)).toMatchObject({ ...raw, judder: "–", dropped: "–" });
  expect(figures({ rate: 100 }, 10, manualDisplay())).toMatchObject({
    ...raw,
    refresh: "50.00 Hz",
    alpha: "1.00",
    judder: expect.stringMatching(/^0\.\d %$/),
    dropped: "0",
  });
});

test("a display whose refresh rate is not known yet", () => {
  expect(figures({ rate: 100 }, 0.04, manualDisplay())).toMatchObject({ refresh: "unsteady" });
});

test("measured costs", () => {
  const driver = manualDriver();
  const options = {
    rate: 50,
    step: () => driver.spend(0.0011),
    render: () => driver.spend(0.0042),
  };
  expect(figures(options, 1, driver)).toMatchObject({ step: "1.1 ms", draw: "4.2 ms" });
});

test("monitors as text, with four digits at most if there is a fraction", () => {
  const loop = manualLoop({ rate: 50 });
  const values = {
    count: 123456,
    ratio: 2 / 3,
    small: 0.000123456,
    large: 1234.56,
    not: NaN,
    text: "cave",
    yes: true,
  };
  for (const [name, value] of Object.entries(values)) measure(loop).monitor(name, () => value);
  expect(monitorsOf(loop)).toEqual({
    count: "123456",
    ratio: "0.6667",
    small: "0.0001235",
    large: "1235",
    not: "NaN",
    text: "cave",
    yes: "true",
  });
});
