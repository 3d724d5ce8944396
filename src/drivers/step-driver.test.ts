import { expect, test } from "vitest";
import { stepDriver } from "./step-driver.js";

const host = { rate: [60, 1] as const, tell() {} };

test("runs a frame once each step is due, never before, and looks again after each", async () => {
  let due = performance.now();
  const frames: { readonly at: number; readonly due: number }[] = [];
  await new Promise<void>((resolve) => {
    const driver = stepDriver({ due: () => due, onError: () => {} });
    driver.start((at) => {
      frames.push({ at, due });
      // Short and long waits.
      due = performance.now() + [0, 0.2, 1, 3, 8, 20][frames.length % 6]!;
      if (frames.length < 30) return;
      driver.stop();
      resolve();
    }, host);
  });
  expect(frames).toHaveLength(30);
  for (const { at, due: wanted } of frames) expect(at).toBeGreaterThanOrEqual(wanted);
});

test("a wake runs a frame at once; without a due step, frames still let the time pass", async () => {
  let frames = 0;
  const driver = stepDriver({ due: () => Infinity, onError: () => {} });
  driver.start(() => void frames++, host);
  expect(frames).toBe(1);
  driver.wake();
  driver.wake();
  expect(frames).toBe(3);
  while (frames < 5) await new Promise((resolve) => void setTimeout(resolve, 10));
  driver.stop();
  driver.wake();
  expect(frames).toBe(5);
});

test("a frame that throws is reported, and the next ones still run", async () => {
  const errors: unknown[] = [];
  let frames = 0;
  await new Promise<void>((resolve) => {
    const driver = stepDriver({ due: () => performance.now(), onError: (error) => errors.push(error) });
    driver.start(() => {
      if (++frames % 2 === 0) throw new Error(`frame ${frames}`);
      if (frames < 7) return;
      driver.stop();
      resolve();
    }, host);
  });
  expect(errors.map(String)).toEqual(["Error: frame 2", "Error: frame 4", "Error: frame 6"]);
});
