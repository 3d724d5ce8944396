import { expect, test } from "vitest";
import { DisplayCount } from "./display-count.js";
import type { ExactRate } from "./rate.js";
import { Span } from "./span.js";

function counter(rate: ExactRate, isFollowing = false) {
  const overstep = new Span(rate);
  const count = new DisplayCount(overstep, isFollowing);
  /** Where between the last two states the picture is. */
  const alpha = () => (overstep.rest + 1) / overstep.units;
  /** The lead in steps. */
  const lead = () => count.lead / overstep.units;
  /** Steps that a frame runs. */
  const take = (nanoseconds: number, refreshes: number) => {
    count.add(nanoseconds, refreshes);
    return overstep.takeSteps();
  };
  return { count, take, overstep, alpha, lead };
}

test("runs steps up to the shown time, which starts half a step late", () => {
  const { take, alpha, lead } = counter([60, 1]);
  expect([alpha(), lead()]).toEqual([0.5, -0.5]);
  // The display is not known yet: 0, 1 and 2 ms late, and one step each.
  for (const time of [16e6, 18e6, 16e6, 17e6]) expect(take(time, 0)).toBe(1);
});

test("without a whole ratio, the shown time is on the strict clock at once", () => {
  const { take, lead } = counter([60, 1]);
  take(6944444, 0);
  expect(lead()).toBe(0);
});

test("aligned steps and refreshes reach an alpha of 1, and keep it", () => {
  const { take, alpha } = counter([60, 1]);
  for (let i = 0; i < 200; i++) expect(take(16666667, 1)).toBe(1);
  for (let i = 0; i < 200; i++) {
    take(16666667, 1);
    expect(alpha()).toBe(1);
  }
});

test.each<[string, ExactRate, number]>([
  ["59.94 Hz", [60, 1], 16683333],
  ["60.06 Hz", [60, 1], 16650017],
  ["119.88 Hz", [60, 1], 8341675],
  ["two steps at 59.94 Hz", [120, 1], 16683333],
  ["a third at 180.2 Hz", [60, 1], 5549390],
])("%s: the lead is never more than half a step, and the pace within a per cent", (_, rate, time) => {
  const { count, take, overstep, lead } = counter(rate);
  let tick = 0;
  let before = overstep.rest;
  let slips = 0;
  const usual = Math.round((time * rate[0]) / 1e9);
  for (let i = 0; i < 20000; i++) {
    const steps = take(time, 1);
    tick += steps;
    const moved = (steps * overstep.units + overstep.rest - before) / rate[0];
    before = overstep.rest;
    expect(Math.abs(lead())).toBeLessThanOrEqual(0.5);
    expect(Math.abs(moved / time - 1)).toBeLessThan(0.01);
    if (usual > 0 && steps !== usual) slips++;
  }
  // received + lead = simulated + overstep
  const over = overstep.rest + 1 - overstep.units;
  expect(20000 * time * rate[0] + count.lead).toBe(tick * overstep.units + over);
  const forced = Math.abs((20000 * time * rate[0]) / overstep.units - 20000 * usual);
  expect(slips).toBeLessThanOrEqual(Math.ceil(forced));
});

test("one bad timestamp does not end the alignment", () => {
  const { take, alpha } = counter([60, 1]);
  for (let i = 0; i < 300; i++) take(16666667, 1);
  expect([take(18400000, 0), take(14900000, 0), alpha()]).toEqual([1, 1, 1]);
});

test("revert restores the lead", () => {
  const { count, take } = counter([60, 1]);
  const { lead } = count;
  take(6944444, 0);
  expect(count.lead).not.toBe(lead);
  count.revert();
  expect(count.lead).toBe(lead);
});

test.each<[string, ExactRate, number]>([
  ["one", [60, 1], 1],
  ["three", [180, 1], 3],
  ["thirty-two", [1920, 1], 32],
])("a rate of the display, measured 0.03 %% too high: always %s per refresh", (_, rate, steps) => {
  const { take, alpha, lead } = counter(rate, true);
  expect([alpha(), lead()]).toEqual([1, 0]);
  for (let i = 0; i < 10_000; i++) {
    expect(take(16671668, 1)).toBe(steps);
    expect(alpha()).toBe(1);
  }
  // The lead accounts for the difference exactly.
  expect(lead()).toBeCloseTo(steps * (10_000 - (10_000 * 16671668 * 60) / 1e9), 6);
});

test("a display that was followed and changes its rate: the lead returns too slowly to be seen", () => {
  const { count, take, overstep, lead } = counter([60, 1], true);
  for (let i = 0; i < 10_000; i++) take(16671668, 1);
  expect(lead()).toBeLessThan(-2.9);
  const frame = 6944444;
  for (let i = 0; i < 20_000; i++) {
    const [before, rest] = [lead(), overstep.rest];
    const moved = take(frame, 1) * overstep.units + overstep.rest - rest;
    expect(Math.abs(moved / (frame * 60) - 1)).toBeLessThan(0.0011);
    expect(Math.abs(lead())).toBeLessThanOrEqual(Math.abs(before));
  }
  expect(count.lead).toBe(0);
});

test("without refreshes to follow, as with scaled time, the lead is not cut off either", () => {
  const { count, take, overstep, lead } = counter([60, 1], true);
  for (let i = 0; i < 10_000; i++) take(16671668, 1);
  count.isFollowing = false;
  for (let i = 0; i < 20_000; i++) {
    const [before, rest] = [lead(), overstep.rest];
    const moved = take(8335834, 1) * overstep.units + overstep.rest - rest;
    expect(Math.abs(moved / (8335834 * 60) - 1)).toBeLessThan(0.01);
    expect(Math.abs(lead())).toBeLessThanOrEqual(Math.max(0.51, Math.abs(before)));
  }
  expect(Math.abs(lead())).toBeLessThanOrEqual(0.5);
});
