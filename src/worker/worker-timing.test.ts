import { expect, test } from "vitest";
import { ClockOffset } from "./clock-offset.js";
import { ShownTime } from "./shown-time.js";
import { WorkerTiming } from "./worker-timing.js";

test("lags are sorted, and can be asked for by share", () => {
  const shown = new ShownTime(10, 0.999);
  const timing = new WorkerTiming(shown, () => new ClockOffset());
  expect([timing.lagOf(0.5), timing.states]).toEqual([NaN, 0]);
  for (const lag of [5, 1, 4, 2, 3]) shown.add(lag);
  expect([...timing.lags()]).toEqual([1, 2, 3, 4, 5]);
  expect([0, 0.5, 0.6, 1].map((share) => timing.lagOf(share))).toEqual([1, 3, 4, 5]);
  expect(() => timing.lagOf(2)).toThrow(
    "WorkerTiming.lagOf: share must be a number from 0 to 1, got 2. Try 0.5.",
  );
});
