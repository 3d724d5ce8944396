import { expect, test } from "vitest";
import { SixtyOnSixty, SWEEP } from "../../../site/src/chapters/even-frames/model.js";

/** The steps of each frame in the first 40 s of the figure. */
function stepsOf(isFixed: boolean, delay: number): { model: SixtyOnSixty; steps: number[] } {
  const model = new SixtyOnSixty(isFixed, delay);
  model.advance(40);
  const { track } = model;
  const steps = Array.from({ length: track.frames }, (_, frame) => track.pictureOf(frame)[SWEEP]!);
  return { model, steps };
}

test("with performance.now(), about every second frame has no step or two", () => {
  const { steps } = stepsOf(false, 1);
  expect(steps.length).toBe(400);
  const odd = steps.filter((count) => count !== 1).length;
  // A callback is early or late independently of the one before: half of all frames change from one to the other.
  expect(odd / steps.length).toBeGreaterThan(0.35);
  expect(odd / steps.length).toBeLessThan(0.65);
  expect(Math.max(...steps)).toBe(2);
  expect(steps.join("")).toContain("11201");
});

test.each([0, 1, 2, 4])(
  "with the display clock and callbacks that are late by %d ms, each frame has one step",
  (delay) => {
    const { model, steps } = stepsOf(true, delay);
    expect(steps.every((count) => count === 1)).toBe(true);
    expect(model.odd).toBe(0);
    expect(model.judder).toBeLessThan(0.005);
  },
);

test.each([false, true])(
  "what is shown is the newest tick or the one before, and never drifts (fixed: %s)",
  (isFixed) => {
    const { track } = stepsOf(isFixed, 1).model;
    for (let frame = 0; frame < track.frames; frame++)
      expect([0, -1]).toContain(track.shownOf(frame) - track.truthOf(frame));
  },
);

test("blended motion is uneven by several percent with performance.now()", () => {
  expect(stepsOf(false, 1).model.judder).toBeGreaterThan(0.03);
});
