import { describe, expect, test } from "vitest";
import { InputDelay, MAX_DELAY } from "./input-delay.js";

const TICK = 1000 / 60;

test("a fixed delay stays as it is", () => {
  const delay = new InputDelay(3, 0, TICK);
  delay.update(1000, 100, 0);
  expect(delay.value).toBe(3);
});

describe("an automatic delay", () => {
  test("covers half the round trip and twice its spread, less what may be predicted", () => {
    const at = (roundTrip: number, spread: number, tolerated: number) => {
      const delay = new InputDelay("auto", tolerated, TICK);
      delay.update(roundTrip, spread, 0);
      return delay.value;
    };
    // 50 ms are 3 ticks.
    expect([at(100, 0, 0), at(101, 0, 0), at(100, 9, 0), at(100, 0, 2), at(100, 0, 4)]).toEqual([
      3, 4, 5, 1, 0,
    ]);
    expect(at(5000, 0, 0)).toBe(MAX_DELAY);
  });

  test("rises at once, and falls by one tick every five seconds", () => {
    const delay = new InputDelay("auto", 0, TICK);
    const seen: number[] = [];
    for (let second = 0; second < 40; second++) {
      delay.update(second < 10 ? 30 : second < 12 ? 130 : 30, 0, second * 1000);
      seen.push(delay.value);
    }
    expect(seen.slice(0, 13)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4]);
    expect([seen[17], seen[18], seen[24], seen[30], seen[39]]).toEqual([4, 3, 2, 1, 1]);
  });

  test("that is needed again in between does not fall", () => {
    const delay = new InputDelay("auto", 0, TICK);
    for (let second = 0; second < 60; second++) delay.update(second % 4 === 0 ? 100 : 30, 0, second * 1000);
    expect(delay.value).toBe(3);
  });

  test("without a measurement is 0", () => {
    const delay = new InputDelay("auto", 0, TICK);
    delay.update(0, 0, 0);
    expect(delay.value).toBe(0);
  });
});
