import { expect, test } from "vitest";
import { FrameMemory, MEMORY } from "./frame-memory.js";

test("averages the last frames, or all of them if there are fewer", () => {
  const memory = new FrameMemory();
  expect(memory.mean(memory.times, 60)).toBe(0);
  memory.add(1, 2, 0.5);
  memory.add(3, 0, 1);
  expect([memory.times, memory.steps, memory.alphas].map((each) => memory.mean(each, 60))).toEqual([
    2, 1, 0.75,
  ]);
  expect(memory.mean(memory.times, 1)).toBe(3);
});

test("overwrites the oldest frames, and clears", () => {
  const memory = new FrameMemory();
  for (let frame = 1; frame <= 2 * MEMORY + 1; frame++) memory.add(frame, 1, 1);
  expect(memory.mean(memory.times, 3)).toBe(2 * MEMORY);
  memory.clear();
  memory.add(7, 1, 1);
  expect(memory.mean(memory.times, 60)).toBe(7);
});
