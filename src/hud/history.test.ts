import { expect, test } from "vitest";
import { History, MEMORY } from "./history.js";

test("means are of the last frames, or of all if there are fewer", () => {
  const history = new History();
  expect(history.mean(history.times, 60)).toBe(0);
  history.add(1, 2, 0.5);
  history.add(3, 0, 1);
  expect([history.times, history.steps, history.alphas].map((each) => history.mean(each, 60))).toEqual([
    2, 1, 0.75,
  ]);
  expect(history.mean(history.times, 1)).toBe(3);
});

test("it goes on past its memory, and forgets when told", () => {
  const history = new History();
  for (let frame = 1; frame <= 2 * MEMORY + 1; frame++) history.add(frame, 1, 1);
  expect(history.mean(history.times, 3)).toBe(2 * MEMORY);
  history.clear();
  history.add(7, 1, 1);
  expect(history.mean(history.times, 60)).toBe(7);
});
