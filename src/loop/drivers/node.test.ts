// Tests nodeTimer on a simulated machine: idle, busy, or stopped for a while.
// `npm run bench -- node-ticks` measures how punctual a real machine is.
import { afterEach, describe, expect, test, vi } from "vitest";
import { Mulberry32 } from "../../../test/math/mulberry32.js";
import { READING, VirtualMachine, type MachineOptions } from "../../../test/node/virtual-machine.js";
import { Loop } from "../loop.js";
import { measure } from "../parts/measure.js";
import { nodeTimer, type NodeTimerOptions } from "./node.js";

afterEach(() => void vi.unstubAllGlobals());

/** Numbers from 0 to 1, seeded. */
const chance = (seed: number) => {
  const numbers = new Mulberry32(seed);
  return () => numbers.within(0, 1);
};

const PRECISIONS = ["low", "high", "exclusive"] as const;

/** Starts a loop on such a machine. Returns it with its frames and their delays in milliseconds. */
function start(rate: number, options: NodeTimerOptions, machine: MachineOptions = {}) {
  const virtual = new VirtualMachine(machine);
  virtual.install();
  const stamps: number[] = [];
  const lateness: number[] = [];
  const loop = new Loop({ rate });
  // Before anything else in a frame.
  loop.on("scale", () => {
    stamps.push(loop.frame.timestamp);
    lateness.push(virtual.time - loop.frame.timestamp);
  });
  const figures = measure(loop);
  loop.start(nodeTimer(options));
  return { loop, figures, virtual, stamps, lateness };
}

/** The steps between the first and the last of these frames, if none was lost. */
const stepsIn = (stamps: number[], rate: number) => Math.floor(((stamps.at(-1)! - stamps[0]!) * rate) / 1000);

describe.each(PRECISIONS)("precision %s", (precision) => {
  test.each([60, 128, 7])("at %d Hz, an idle machine runs one step in every frame", (rate) => {
    const { loop, figures, virtual, stamps } = start(rate, { precision });
    virtual.run(10_000);
    expect(loop.tick).toBe(stepsIn(stamps, rate));
    expect(loop.lostSeconds).toBe(0);
    // The first frame only sets the clock.
    expect(Math.abs(loop.tick - 10 * rate)).toBeLessThanOrEqual(1);
    expect(figures.framesWith(2)).toBe(0);
  });

  test.each([60, 128, 7])("at %d Hz, a busy machine delays steps, but neither drops nor adds one", (rate) => {
    const random = chance(rate);
    // Late by up to 100 ms, which is less than the quarter of a second that a frame may take.
    const late = () => 100 * random() ** 3;
    const interrupted = () => (random() < 0.01 ? 50 * random() : 0);
    const { loop, virtual, stamps } = start(rate, { precision }, { late, interrupted });
    const begin = virtual.time;
    virtual.run(10_000);
    expect(loop.lostSeconds).toBe(0);
    expect(loop.tick).toBe(stepsIn(stamps, rate));
    // The machine really was busy, and the loop has caught up.
    expect(Math.max(...stamps.slice(1).map((stamp, i) => stamp - stamps[i]!))).toBeGreaterThan(50);
    const behind = ((virtual.time - begin) * rate) / 1000 - loop.tick;
    expect(behind).toBeLessThan(2 + (250 * rate) / 1000);
  });

  test("every frame is at start + n × period, however late it comes", () => {
    const random = chance(1);
    const { virtual, stamps } = start(100, { precision }, { late: () => 30 * random() });
    virtual.run(5000);
    const phases = stamps.slice(1).map((stamp) => (stamp - stamps[1]!) / 10);
    for (const phase of phases) expect(phase).toBeCloseTo(Math.round(phase), 6);
    expect(new Set(phases.map(Math.round)).size).toBe(phases.length);
  });

  test("after 2 s without frames, drops the clamped time and continues", () => {
    const { loop, figures, virtual, stamps } = start(60, { precision });
    virtual.run(500);
    const [before, frames] = [loop.tick, stamps.length];
    virtual.stop(2000);
    virtual.run(500);
    const gap = (stamps[frames]! - stamps[frames - 1]!) / 1000;
    expect(gap).toBeGreaterThan(1.9);
    expect(loop.lostSeconds).toBeCloseTo(gap - 0.25, 6);
    expect(figures.overloads).toBe(1);
    // A quarter of a second at once, and half a second of single steps.
    expect(Math.abs(loop.tick - before - (15 + 30))).toBeLessThanOrEqual(1);
  });

  test("leaves no timer after stop that would keep the process alive", () => {
    const { loop, virtual } = start(60, { precision });
    virtual.run(100);
    loop.stop();
    expect(virtual.pending).toBe(0);
  });

  test("may have another frame rate", () => {
    const { loop, figures, virtual, stamps } = start(120, { precision, frameRate: 30 });
    virtual.run(2000);
    expect(stamps.length).toBe(61);
    expect(loop.tick).toBe(stepsIn(stamps, 120));
    expect(figures.framesWith(4)).toBeGreaterThanOrEqual(59);
  });
});

describe("if timers are up to 1.5 ms late", () => {
  const random = chance(2);
  const machine = { late: () => 1.5 * random() };
  const latest = (precision: NodeTimerOptions["precision"]) => {
    const { virtual, lateness } = start(60, { precision }, machine);
    virtual.run(5000);
    // Without the first frame, which the driver does not wait for.
    return Math.max(...lateness.slice(1));
  };

  test("low precision is as late as the timers", () => {
    // Plus the rest of a millisecond.
    expect(latest("low")).toBeGreaterThan(1);
    expect(latest("low")).toBeLessThan(2.6);
  });

  test("high precision is on time to a few readings of the clock", () => {
    expect(latest("high")).toBeLessThan(4 * READING);
  });

  test("exclusive precision sleeps instead of yielding, and is as punctual", () => {
    const { virtual, lateness } = start(60, { precision: "exclusive" }, { late: () => 0.1 * random() });
    virtual.run(5000);
    expect(Math.max(...lateness.slice(1))).toBeLessThan(4 * READING);
    expect(virtual.longestSleep).toBeLessThanOrEqual(3);
    expect(virtual.slept).toBeGreaterThan(100);
  });
});

test("high precision yields to the event loop while it waits; exclusive blocks it", () => {
  const turnsOf = (precision: NodeTimerOptions["precision"]) => {
    const { virtual } = start(60, { precision });
    virtual.run(1000);
    return virtual.turns;
  };
  // Each wait of nearly 2 ms is hundreds of turns of some microseconds.
  expect(turnsOf("high")).toBeGreaterThan(60 * 100);
  expect(turnsOf("exclusive")).toBeLessThan(60 * 3);
});

test("while high precision waits, other timers of the process are on time", () => {
  const { virtual } = start(60, { precision: "high" });
  const at: number[] = [];
  const again = () => {
    at.push(virtual.time);
    setTimeout(again, 10);
  };
  again();
  virtual.run(2000);
  const gaps = at.slice(1).map((time, i) => time - at[i]!);
  expect(gaps.length).toBeGreaterThan(190);
  // It spins for 0.15 ms.
  expect(Math.max(...gaps)).toBeLessThan(10 + 0.16);
});
