import { describe, expect, test } from "vitest";
import { Advantage, Pace } from "./pace.js";

describe("the advantage over a peer", () => {
  test("is half the difference of both measurements, whatever the latency is", () => {
    for (const latency of [0, 6, 40]) {
      const advantage = new Advantage();
      // We are 4 ticks ahead: our inputs are further ahead of what we know of the other's, by twice that.
      for (let i = 0; i < 30; i++) advantage.add(latency + 4, latency - 4);
      expect(advantage.ticks).toBe(4);
    }
  });

  test("is known after 30 packets, and is the average of the last 30", () => {
    const advantage = new Advantage();
    expect(advantage.ticks).toBe(0);
    for (let i = 0; i < 29; i++) advantage.add(10, 0);
    expect([advantage.isKnown, advantage.ticks]).toEqual([false, 5]);
    for (let i = 0; i < 31; i++) advantage.add(0, 2);
    expect([advantage.isKnown, advantage.ticks]).toEqual([true, -1]);
    advantage.reset();
    expect([advantage.isKnown, advantage.ticks]).toEqual([false, 0]);
  });
});

describe("the pace", () => {
  test("is exactly 1 unless an advantage of more than half a tick is corrected", () => {
    const pace = new Pace();
    for (const small of [0, 0.5, -0.54]) pace.correct(small, 1);
    expect([pace.value, pace.isCorrecting]).toEqual([1, false]);
    pace.correct(1, 1);
    expect([pace.value, pace.isCorrecting]).toEqual([0.95, true]);
  });

  test("slows down whoever is ahead, and speeds up whoever is behind, until it has made up for its share", () => {
    for (const [advantage, share] of [
      [2, 1],
      [-3, 0.5],
      [4, 0.75],
    ] as const) {
      const pace = new Pace();
      pace.correct(advantage, share);
      expect(pace.value).toBe(advantage > 0 ? 0.95 : 1.05);
      let gained = 0;
      for (let isDone = false; !isDone; isDone = pace.tick()) gained += pace.value - 1;
      expect(gained).toBeCloseTo(-advantage * share, 6);
      expect([pace.value, pace.isCorrecting]).toEqual([1, false]);
    }
  });

  test("a correction is not begun again while one is under way, and lasts at most four seconds", () => {
    const pace = new Pace();
    pace.correct(1000, 1);
    pace.correct(-1000, 1);
    let ticks = 0;
    for (let isDone = false; !isDone; isDone = pace.tick()) ticks++;
    // Four seconds, and some ticks until the effect can be measured.
    expect([ticks, pace.value]).toEqual([248, 1]);
    expect(pace.tick()).toBe(false);
  });
});
