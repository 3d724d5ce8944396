import { expect, test } from "vitest";
import { Loop } from "../loop.js";
import { stepTimer } from "./step-timer.js";

test("runs a frame once each step is due, never before, and looks again after each", async () => {
  let due = performance.now();
  const frames: { readonly at: number; readonly due: number }[] = [];
  await new Promise<void>((resolve) => {
    const loop = new Loop({ rate: 60 });
    loop.on("frame", ({ timestamp }) => {
      frames.push({ at: timestamp, due });
      // Short and long waits.
      due = performance.now() + [0, 0.2, 1, 3, 8, 20][frames.length % 6]!;
      if (frames.length < 30) return;
      loop.stop();
      resolve();
    });
    loop.start(stepTimer({ due: () => due, onError: () => {} }));
  });
  expect(frames).toHaveLength(30);
  for (const { at, due: wanted } of frames) expect(at).toBeGreaterThanOrEqual(wanted);
});

test("a wake runs a frame at once; without a due step, frames still let the time pass", async () => {
  let frames = 0;
  const loop = new Loop({ rate: 60, render: () => void frames++ });
  const timer = stepTimer({ due: () => Infinity, onError: () => {} });
  loop.start(timer);
  expect(frames).toBe(1);
  timer.wake();
  timer.wake();
  expect(frames).toBe(3);
  while (frames < 5) await new Promise((resolve) => void setTimeout(resolve, 10));
  loop.stop();
  timer.wake();
  expect(frames).toBe(5);
});

test("a frame that throws is reported, and the next ones still run once the loop starts again", async () => {
  const errors: unknown[] = [];
  let frames = 0;
  await new Promise<void>((resolve) => {
    const loop = new Loop({ rate: 60 });
    loop.on("frame", () => {
      if (++frames % 2 === 0) throw new Error(`frame ${frames}`);
      if (frames < 7) return;
      loop.stop();
      resolve();
    });
    const timer = stepTimer({
      due: () => performance.now(),
      onError(error) {
        errors.push(error);
        loop.start();
      },
    });
    loop.start(timer);
  });
  expect(errors.map(String)).toEqual(["Error: frame 2", "Error: frame 4", "Error: frame 6"]);
});
