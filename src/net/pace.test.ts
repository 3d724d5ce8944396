import { describe, expect, test } from "vitest";
import { Advantage, Pace } from "./pace.js";

describe("the advantage over a peer", () => {
  test("is half the difference of both measurements, whatever the latency is", () => {
    for (const latency of [0, 6, 40]) {
      const advantage = new Advantage();
      // We are 4 ticks ahead: our inputs are further ahead of what we know of the other's, by twice that.
      for (let i = 0; i < 30; i++) {
        advantage.addOwn(latency + 4);
        advantage.addTheirs(latency - 4);
      }
      expect(advantage.ticks).toBe(4);
    }
  });

  test("is known after 30 samples of both, and is the average of the last 60", () => {
    const advantage = new Advantage();
    const add = (count: number, own: number, theirs: number) => {
      for (let i = 0; i < count; i++) {
        advantage.addOwn(own);
        advantage.addTheirs(theirs);
      }
    };
    expect(advantage.ticks).toBe(0);
    add(29, 10, 0);
    advantage.addOwn(10);
    expect([advantage.isKnown, advantage.ticks]).toEqual([false, 5]);
    add(1, 10, 0);
    expect([advantage.isKnown, advantage.isExact, advantage.ticks]).toEqual([true, false, 5]);
    add(60, 0, 2);
    expect([advantage.isKnown, advantage.isExact, advantage.ticks]).toEqual([true, true, -1]);
    advantage.reset();
    expect([advantage.isKnown, advantage.ticks]).toEqual([false, 0]);
  });

  test("is the same however packets bunch up", () => {
    const advantage = new Advantage();
    for (let i = 0; i < 60; i++) {
      // Ours grows until four packets of the other arrive at once.
      advantage.addOwn(2 + (i % 4));
      if (i % 4 === 3) for (let lag = 2; lag < 6; lag++) advantage.addTheirs(lag);
    }
    expect(advantage.ticks).toBe(0);
  });
});

/** Passes an advantage to a pace. */
function correct(pace: Pace, advantage: number, others: number, isExact = true): void {
  pace.advantage[0] = advantage;
  pace.correct(others, isExact);
}

describe("the pace", () => {
  test("is exactly 1 unless an advantage of more than a third of a tick is corrected", () => {
    const pace = new Pace();
    for (const small of [0, 0.3, -0.34]) correct(pace, small, 0);
    for (const small of [0.4, -0.54]) correct(pace, small, 0, false);
    expect([pace.value, pace.isCorrecting]).toEqual([1, false]);
    correct(pace, 0.4, 0);
    expect([pace.value, pace.isCorrecting]).toEqual([0.95, true]);
  });

  test("slows down whoever is ahead, and speeds up whoever is behind, until it has made up for its share", () => {
    for (const [advantage, others, share] of [
      [2, 0, 1],
      [-3, 1, 0.5],
      [4, 3, 0.75],
    ] as const) {
      const pace = new Pace();
      correct(pace, advantage, others);
      expect(pace.value).toBe(advantage > 0 ? 0.95 : 1.05);
      let gained = 0;
      for (let isDone = false; !isDone; isDone = pace.tick()) gained += pace.value - 1;
      expect(gained).toBeCloseTo(-advantage * share, 6);
      expect([pace.value, pace.isCorrecting]).toEqual([1, false]);
    }
  });

  test("a correction is not begun again while one is under way, and lasts at most four seconds", () => {
    const pace = new Pace();
    correct(pace, 1000, 0);
    correct(pace, -1000, 0);
    let ticks = 0;
    for (let isDone = false; !isDone; isDone = pace.tick()) ticks++;
    // Four seconds, and some ticks until the effect can be measured.
    expect([ticks, pace.value]).toEqual([248, 1]);
    expect(pace.tick()).toBe(false);
  });

  test("is fair on average while a clock drifts, and 1 most of the time", () => {
    for (const drift of [0.002, -0.005, 0.01]) {
      const pace = new Pace();
      let advantage = 0;
      let sum = 0;
      let ones = 0;
      for (let tick = 0; tick < 20_000; tick++) {
        advantage += drift + (pace.value - 1);
        correct(pace, advantage, 0);
        pace.tick();
        sum += advantage;
        if (pace.value === 1) ones++;
      }
      expect(Math.abs(sum / 20_000)).toBeLessThan(0.1);
      expect(ones / 20_000).toBeGreaterThan(0.75);
    }
  });
});
