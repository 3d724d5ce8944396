import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { ServerClock } from "./server-clock.js";

const TICK = 1000 / 60;

describe("ServerClock", () => {
  /** The server's clock shows `offset` milliseconds more than ours. It answers in the next tick. */
  function measure(
    clock: ServerClock,
    first: number,
    count: number,
    offset: number,
    delay: () => number,
  ): number {
    let now = 0;
    for (let i = first; i < first + count; i++) {
      const sentAt = i * TICK;
      const arrived = (sentAt + delay() + offset) / TICK;
      const answered = Math.ceil(arrived);
      now = answered * TICK - offset + delay();
      clock.add(sentAt, arrived, answered, now);
    }
    return now;
  }

  test("knows nothing at first", () => {
    const clock = new ServerClock(TICK);
    expect([clock.isKnown, clock.roundTrip, clock.jitter]).toEqual([false, 0, 0]);
  });

  test("is exact on an even line, and measures the round trip", () => {
    const clock = new ServerClock(TICK);
    measure(clock, 0, 100, 5000, () => 40);
    expect(clock.tickAt(3000)).toBeCloseTo(8000 / TICK);
    expect(clock.roundTrip).toBeCloseTo(80);
    expect(clock.jitter).toBeCloseTo(0);
  });

  test("is right within a tick in spite of jitter", () => {
    const die = random(new Uint32Array(4)).seed("clock");
    const clock = new ServerClock(TICK);
    measure(clock, 0, 90, -700, () => 150 + 100 * die.float());
    for (let i = 3; i < 20; i++) {
      measure(clock, 30 * i, 30, -700, () => 150 + 100 * die.float());
      expect(Math.abs(clock.tickAt(5000) - 4300 / TICK)).toBeLessThan(1);
    }
    expect(clock.roundTrip).toBeGreaterThan(350);
    expect(clock.roundTrip).toBeLessThan(450);
    expect(clock.jitter).toBeGreaterThan(10);
  });

  test("follows after a reset at once, and ignores what cannot be", () => {
    const clock = new ServerClock(TICK);
    measure(clock, 0, 100, 5000, () => 40);
    clock.reset();
    expect(clock.isKnown).toBe(false);
    clock.add(1000, 10, 90, 1001);
    clock.add(NaN, 10, 10, 1001);
    expect(clock.isKnown).toBe(false);
    measure(clock, 100, 1, 9000, () => 100);
    expect(clock.tickAt(0)).toBeCloseTo(9000 / TICK);
    expect(clock.roundTrip).toBeCloseTo(200);
  });
});
