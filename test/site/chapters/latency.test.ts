import { expect, test } from "vitest";
import { Drag, WALL, WAYS } from "../../../site/src/chapters/latency/model.js";

/** Runs for 5 s. Returns the lag of each way in milliseconds, and how far it went into the wall. */
function run(rate: number, isFixed = false) {
  const drag = new Drag(isFixed, rate);
  drag.advance(5);
  const { track } = drag;
  const last = track.pictureOf(track.frames - 1);
  const lags = [...last.subarray(1 + WAYS.length)];
  const overshoots = WAYS.map((_, way) => {
    let most = -Infinity;
    for (let frame = 0; frame < track.frames; frame++)
      most = Math.max(most, track.pictureOf(frame)[1 + way]! - WALL);
    return most;
  });
  return { drag, lags, overshoots };
}

test.each([10, 15, 20, 30])(
  "at %i steps per second, the blend is one step late and the speculation hardly",
  (rate) => {
    const [newest, blended, , speculated] = run(rate).lags as [number, number, number, number];
    const step = 1000 / rate;
    expect(Math.abs(blended - step)).toBeLessThanOrEqual(step / 10);
    // With 60 frames per second and n frames per step, the newest state is (n − 1) / 2 frames old on average.
    expect(Math.abs(newest - (step - 1000 / 60) / 2)).toBeLessThanOrEqual(step / 10);
    // A speculation is late by (1 − alpha) × alpha steps: a sixth on average.
    expect(speculated).toBeLessThanOrEqual(step / 4);
  },
);

test("the extrapolation goes into the wall, and nothing else does", () => {
  const [newest, blended, extrapolated, speculated] = run(10).overshoots as [number, number, number, number];
  expect(extrapolated).toBeGreaterThan(0.05);
  for (const overshoot of [newest, blended, speculated]) expect(Math.abs(overshoot)).toBeLessThan(1e-9);
});

test("the figures are those of the chosen side", () => {
  expect(run(10).drag.figures()[1]!.value).toBe("10");
  expect(run(10, true).drag.figures()[1]!.value).toBe("70");
});

test("the visitor's pointer drags the disc, and the script goes on when it rests", () => {
  const drag = new Drag(true, 10);
  drag.advance(1);
  drag.point(0.25);
  drag.advance(2);
  const { track } = drag;
  const places = (frame: number) => [...track.pictureOf(frame).subarray(0, 1 + WAYS.length)];
  for (const place of places(track.frames - 1)) expect(place).toBeCloseTo(0.25, 4);
  drag.advance(8);
  const moved = new Set(Array.from({ length: 60 }, (_, i) => places(track.frames - 1 - i)[0]));
  expect(moved.size).toBeGreaterThan(30);
});
