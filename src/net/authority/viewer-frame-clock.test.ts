import { expect, test } from "vitest";
import { random } from "../../math/index.js";
import { FrameClock } from "./viewer-frame-clock.js";

const FRAME = 1000 / 60;

test("takes the time from an even loop, though callbacks come early and late", () => {
  const clock = new FrameClock();
  const dice = random(new Uint32Array(4)).seed(3);
  let last = clock.frame(500, 0);
  let worst = 0;
  for (let i = 1; i < 600; i++) {
    const now = 500 + i * FRAME + 4 * dice.float();
    const time = clock.frame(now, i * FRAME);
    worst = Math.max(worst, Math.abs(time - last - FRAME));
    expect(Math.abs(time - now)).toBeLessThan(5);
    last = time;
  }
  expect(worst).toBeLessThan(0.25);
});

test("takes the time from the clock, if the loop has another pace or none", () => {
  for (const pace of [0, 0.1, 4]) {
    const clock = new FrameClock();
    for (let i = 0; i < 300; i++) expect(clock.frame(i * FRAME, i * FRAME * pace)).toBeCloseTo(i * FRAME, 6);
  }
});

test("jumps after a pause, and never runs backwards", () => {
  const clock = new FrameClock();
  clock.frame(0, 0);
  expect(clock.frame(5000, FRAME)).toBe(5000);
  expect(clock.frame(4000, 2 * FRAME)).toBe(5000);
  expect(clock.frame(5000 + FRAME, 3 * FRAME)).toBe(5000 + FRAME);
});
