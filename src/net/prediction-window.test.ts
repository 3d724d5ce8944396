import { expect, test } from "vitest";
import { PredictionWindow } from "./prediction-window.js";

test("grows by four with each stall, up to its bound", () => {
  const window = new PredictionWindow(8, 30);
  const sizes = Array.from({ length: 8 }, () => {
    window.onStall();
    return window.size;
  });
  expect(sizes).toEqual([12, 16, 20, 24, 28, 30, 30, 30]);
});

test("shrinks by one after ten quiet seconds, and never below its start", () => {
  const window = new PredictionWindow(8, 30);
  window.onStall();
  for (let i = 0; i < 599; i++) window.onStep();
  expect(window.size).toBe(12);
  window.onStep();
  expect(window.size).toBe(11);
  for (let i = 0; i < 10_000; i++) window.onStep();
  expect(window.size).toBe(8);
});

test("a stall begins the quiet time anew", () => {
  const window = new PredictionWindow(8, 12);
  window.onStall();
  for (let i = 0; i < 500; i++) window.onStep();
  window.onStall();
  for (let i = 0; i < 500; i++) window.onStep();
  expect(window.size).toBe(12);
});

test("lockstep stays lockstep", () => {
  const window = new PredictionWindow(0, 30);
  window.onStall();
  expect(window.size).toBe(0);
});
