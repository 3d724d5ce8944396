import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { alarmsOf, realScheduler } from "./scheduler.js";

describe("the real scheduler, with fake timers", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("calls once when due, unless cancelled", () => {
    const calls: number[] = [];
    const start = realScheduler.now();
    const note = () => void calls.push(realScheduler.now() - start);
    realScheduler.after(20.5, note);
    realScheduler.after(10, note);
    realScheduler.after(15, note)();
    vi.advanceTimersByTime(100);
    expect(calls).toEqual([10, 21]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an alarm rings at the time it was last set to", () => {
    let rings = 0;
    const alarm = alarmsOf(realScheduler)(() => void rings++);
    alarm.set(10);
    alarm.set(30);
    vi.advanceTimersByTime(20);
    expect(rings).toBe(0);
    vi.advanceTimersByTime(20);
    expect(rings).toBe(1);
    alarm.set(1e15);
    vi.advanceTimersByTime(1000);
    alarm.end();
    expect([rings, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
