import { describe, expect, test } from "vitest";
import { alarmsOf } from "../platform/index.js";
import { skewedScheduler, virtualScheduler } from "./virtual-time.js";

describe("virtual time", () => {
  test("makes calls when they are due, and those due at once in the order they were set", () => {
    const time = virtualScheduler();
    const calls: [string, number][] = [];
    const note = (name: string) => () => void calls.push([name, time.now()]);
    time.after(20, note("c"));
    time.after(10, note("a"));
    time.after(20, note("d"));
    time.after(10, note("b"));
    time.after(30.5, note("late"));
    expect(time.nextDue).toBe(10);
    time.advanceTo(30);
    expect(calls).toEqual([
      ["a", 10],
      ["b", 10],
      ["c", 20],
      ["d", 20],
    ]);
    expect([time.now(), time.nextDue]).toEqual([30, 30.5]);
    time.advance(1);
    expect(calls.at(-1)).toEqual(["late", 30.5]);
    expect([time.now(), time.nextDue]).toEqual([31, Infinity]);
  });

  test("makes calls that were set by other calls, and none that were cancelled", () => {
    const time = virtualScheduler();
    const ticks: number[] = [];
    const tick = () => {
      ticks.push(time.now());
      time.after(10, tick);
    };
    time.after(10, tick);
    const cancel = time.after(15, () => ticks.push(NaN));
    time.after(12, cancel);
    time.advanceTo(35);
    cancel();
    expect(ticks).toEqual([10, 20, 30]);
  });

  test("keeps any mixture of sets and cancels in order", () => {
    const time = virtualScheduler();
    let state = 1;
    const draw = (below: number) => (state = (state * 48271) % 2147483647) % below;
    const expected: [number, number][] = [];
    const made: [number, number][] = [];
    const cancels: (() => void)[] = [];
    for (let i = 0; i < 2000; i++) {
      const due = draw(500);
      const isCancelled = draw(3) === 0;
      const cancel = time.after(due, () => void made.push([due, i]));
      if (isCancelled) cancels.push(cancel);
      else expected.push([due, i]);
      if (draw(4) === 0) cancels.pop()?.();
    }
    for (const cancel of cancels) cancel();
    time.advanceTo(500);
    expect(made).toEqual(expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
  });

  test("a call that throws is made once, and the others are still made", () => {
    const time = virtualScheduler();
    let calls = 0;
    time.after(10, () => {
      throw new Error("broken");
    });
    time.after(20, () => void calls++);
    expect(() => time.advanceTo(30)).toThrow("broken");
    expect(time.now()).toBe(10);
    time.advanceTo(30);
    expect(calls).toBe(1);
  });

  test("rejects bad times and calls from within", () => {
    const time = virtualScheduler();
    expect(() => time.after(-1, () => {})).toThrow(
      "Scheduler.after: milliseconds must be a finite number, 0 or more, got -1. Try 10.",
    );
    time.advanceTo(5);
    expect(() => time.advanceTo(4)).toThrow("must be a finite number from 5 on, got 4");
    time.after(0, () => time.advance(1));
    expect(() => time.advance(1)).toThrow("cannot be called from a call that it makes");
  });

  test("an alarm can be set earlier, later and ended; also without support of the scheduler", () => {
    const full = virtualScheduler();
    const plain = { now: full.now, after: full.after };
    for (const scheduler of [full, plain]) {
      const rings: number[] = [];
      const start = full.now();
      const alarm = alarmsOf(scheduler)(() => void rings.push(full.now() - start));
      alarm.set(10);
      alarm.set(5);
      full.advance(7);
      alarm.set(10);
      alarm.set(20);
      full.advance(30);
      alarm.set(1);
      alarm.end();
      full.advance(10);
      expect(rings).toEqual([5, 27]);
    }
  });

  test("a skewed clock gains or loses its share", () => {
    const time = virtualScheduler();
    const fast = skewedScheduler(time, 0.01);
    const slow = skewedScheduler(time, -0.01);
    const rings: number[] = [];
    fast.after(101, () => rings.push(time.now()));
    slow.after(99, () => rings.push(time.now()));
    alarmsOf(fast)(() => rings.push(time.now())).set(202);
    time.advanceTo(10_000);
    expect([fast.now(), slow.now()]).toEqual([10_100, 9_900]);
    expect(rings).toEqual([100, 100, 200]);
  });
});
