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
  test("is exactly 1 in a dead zone: on above 1 tick, off below 0.3", () => {
    const pace = new Pace();
    expect([0, 0.9, -0.9, 1].map((ticks) => pace.update(ticks))).toEqual([1, 1, 1, 1]);
    expect(pace.update(1.1)).toBe(0.99);
    expect([0.9, 0.5, 0.31].map((ticks) => pace.update(ticks))).toEqual([0.99, 0.99, 0.99]);
    expect(pace.update(0.3)).toBe(1);
    expect(pace.update(0.9)).toBe(1);
  });

  test("slows down whoever is ahead, and speeds up whoever is behind, by at most 5 %", () => {
    const at = (ticks: number) => new Pace().update(ticks);
    expect([2, 3, 4, 5, 6, 100].map(at)).toEqual([0.98, 0.97, 0.96, 0.95, 0.95, 0.95]);
    expect([-2, -3, -5, -100].map(at)).toEqual([1.02, 1.03, 1.05, 1.05]);
  });

  test("brings two peers together, and leaves them alone then", () => {
    // Each sees the other's tick after a delay of six ticks.
    let [a, b] = [20, 0];
    const paces = [new Pace(), new Pace()];
    let left = 0;
    for (let tick = 0; tick < 1200; tick++) {
      const ahead = (a - b) / 2;
      a += paces[0]!.update(ahead);
      b += paces[1]!.update(-ahead);
      if (paces[0]!.value === 1 && paces[1]!.value === 1) left++;
    }
    expect(Math.abs(a - b)).toBeLessThan(2);
    expect(left).toBeGreaterThan(600);
  });
});
