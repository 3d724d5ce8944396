import { expect, test } from "vitest";
import { Loop } from "tickwise";
import { Frames } from "../../site/src/figure/frames.js";

test.each([
  [60, 60],
  [60, 20],
  [144, 12],
  [240, 60],
])("on a simulated display with %i fps, %i steps per second come at even frames", (fps, rate) => {
  const frames = new Frames(fps);
  let steps = 0;
  const loop = new Loop({ rate, step: () => void steps++ });
  const every = fps / rate;
  for (let frame = 1; frame <= 10 * fps; frame++) {
    loop.advance(frames.next());
    expect(steps).toBe(Math.floor(frame / every));
  }
});
