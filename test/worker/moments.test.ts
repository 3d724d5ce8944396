// What a page shows of a simulation in a worker, on virtual time: the delay, the pictures, and everything that changes them.
import { describe, expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { localSession } from "../../src/sim/index.js";
import { arcade } from "./arcade.js";
import { startArcade } from "./virtual-arcade.js";

const MODES = ["shared", "transferred"] as const;

describe.each(MODES)("the delay, with %s memory", (memory) => {
  /** How long a state takes from the worker to the page. */
  const handOver = memory === "shared" ? 0 : 0.2;

  test("is what a step costs, and the hand-over", async () => {
    for (const cost of [1, 8, 14]) {
      const page = await startArcade({ session: { memory }, cost: () => cost });
      page.begin();
      page.run(12_000);
      expect(page.session.timing.delay).toBeCloseTo(cost + handOver, 3);
      expect(page.session.timing.starvedFrames).toBe(0);
      page.end();
    }
  });

  test("is the longest cost and lateness that states have had, whatever the frame rate of the page", async () => {
    const numbers = random(new Uint32Array(4)).seed(7);
    for (const frameRate of [30, 59, 144]) {
      let longest = 0;
      let late = 0;
      const page = await startArcade({
        session: { memory, inTime: 1 },
        frameRate,
        cost: () => {
          const cost = 2 + 3 * numbers.float();
          longest = Math.max(longest, late + cost);
          return cost;
        },
      });
      page.worker.lateness = () => (late = numbers.float());
      page.begin();
      page.run(10_000);
      // 2 to 5 ms of a step, and up to 1 ms late: the longest of the 600 states is close to 6 ms.
      expect(longest).toBeGreaterThan(5.5);
      expect(page.session.timing.wantedDelay).toBeCloseTo(longest + handOver, 2);
      expect(page.session.timing.delay).toBeCloseTo(longest + handOver, 0);
      page.end();
    }
  });

  test("leaves out the share of states that may be late", async () => {
    // One step of a hundred takes 12 ms longer.
    const cost = (tick: number) => (tick % 100 === 50 ? 14 : 2);
    const delays: number[] = [];
    for (const inTime of [0.98, 0.999]) {
      const page = await startArcade({ session: { memory, inTime }, cost, frameRate: 144 });
      page.begin();
      page.run(12_000);
      delays.push(page.session.timing.delay);
      expect(page.session.timing.starvedFrames > 0).toBe(inTime === 0.98);
      page.end();
    }
    expect(delays[0]).toBeCloseTo(2 + handOver, 2);
    expect(delays[1]).toBeCloseTo(14 + handOver, 2);
  });

  test("follows a change slowly: the picture never runs more than 1 % faster or slower", async () => {
    const page = await startArcade({ session: { memory, inTime: 1 }, cost: (tick) => (tick < 300 ? 1 : 9) });
    page.begin();
    page.run(20_000);
    const { pictures } = page;
    const speeds = pictures.slice(1).map(({ tick }, i) => tick - pictures[i]!.tick);
    // The first frames wait for the first states.
    const slowest = Math.min(...speeds.slice(4, 290));
    expect(slowest).toBeGreaterThan(0.989);
    expect(Math.max(...speeds.slice(4, 290))).toBeLessThan(1.011);
    expect(page.session.timing.delay).toBeCloseTo(9 + handOver, 2);
    page.end();
  });

  test("a worker whose clock is another one changes nothing, even if its origin is wrong", async () => {
    const delays: number[] = [];
    for (const [clockStart, toldStart] of [
      [0, 0],
      [5000, 5000],
      [5000, 0],
      [-300, 8000],
    ] as const) {
      const page = await startArcade({ session: { memory }, cost: () => 3, clockStart, toldStart });
      page.begin();
      page.run(8000);
      delays.push(page.session.timing.delay);
      expect(page.session.timing.starvedFrames).toBe(0);
      expect(page.session.tick).toBe(479);
      // If the origins are wrong, the fastest round trip of 0.4 ms bounds the error.
      expect(Math.abs(page.session.timing.clockOffset + clockStart)).toBeLessThan(0.41);
      page.end();
    }
    for (const delay of delays) expect(delay).toBeCloseTo(3 + handOver, 0);
  });
});

describe.each(MODES)("the picture, with %s memory", (memory) => {
  /** The states of the game without inputs, by tick. */
  function statesOnOneThread(ticks: number) {
    const session = localSession(arcade);
    const states = [session.toJSON() as { x: number; turn: number; noise: number }];
    for (let tick = 0; tick < ticks; tick++) {
      session.advance();
      states.push(session.toJSON() as never);
    }
    return { states, hash: session.hash() };
  }

  test("is the one that a single thread blends for the same moment, and so are the hashes", async () => {
    for (const frameRate of [60, 144]) {
      const page = await startArcade({ session: { memory }, cost: () => 4, frameRate });
      page.begin();
      page.run(3000);
      const { states, hash } = statesOnOneThread(page.session.tick);
      expect(page.session.hash()).toEqual(hash);
      expect(page.session.world.noise).toBe(states.at(-1)!.noise);
      expect(page.pictures.length).toBeGreaterThan(170);
      for (const { tick, x } of page.pictures) {
        const before = Math.floor(tick);
        const [from, to] = [states[before]!.x, states[Math.ceil(tick)]!.x];
        expect(x).toBeCloseTo(from + (to - from) * (tick - before), 9);
      }
      page.end();
    }
  });

  test("a page that draws slowly does not slow the simulation, and a slow step does not slow the page", async () => {
    const slow = await startArcade({ session: { memory }, cost: () => 10, frameRate: 4 });
    slow.begin();
    slow.run(5000);
    expect(slow.session.tick).toBe(299);
    expect(slow.session.timing.starvedFrames).toBe(0);
    slow.end();
    // Steps that take 1.5 times their time. The worker drops what it cannot simulate.
    const heavy = await startArcade({ session: { memory }, cost: () => 25, drive: { maxSteps: 1 } });
    heavy.begin();
    heavy.run(5000);
    expect(heavy.pictures).toHaveLength(301);
    expect(heavy.session.tick).toBeGreaterThan(190);
    expect(heavy.session.tick).toBeLessThan(201);
    heavy.end();
  });

  test("a frame without its state holds the newest one, is counted, and jumps to where it would be", async () => {
    const page = await startArcade({ session: { memory }, cost: (tick) => (tick === 400 ? 101 : 2) });
    page.begin();
    page.run(6000);
    page.run(3000);
    // The step of tick 400 ends 101 ms after it began. State 401 stands for one step later.
    const { starvedFrames, frames } = page.session.timing;
    expect(starvedFrames).toBe(6);
    expect(frames).toBe(page.pictures.length);
    const ticks = page.pictures.map(({ tick }) => tick);
    expect(ticks.filter((tick) => tick === 400)).toHaveLength(6);
    for (let i = 1; i < ticks.length; i++) expect(ticks[i]! >= ticks[i - 1]!).toBe(true);
    expect(page.session.tick).toBe(539);
    page.end();
  });
});
