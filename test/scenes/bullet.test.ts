import { expect, test } from "vitest";
import {
  bullet,
  bulletScript,
  END,
  FRAME_TICKS,
  isInWall,
  Lane,
  meetsWall,
  SPEED,
  WALL,
  WALL_WIDTH,
} from "../../scenes/bullet.js";
import { localSession } from "../../src/sim/index.js";

/** Whether a bullet that moves this many pixels per step ever overlaps the wall. */
function isSeen(from: number, step: number): boolean {
  for (let x = from; x < WALL + WALL_WIDTH + step; x += step) if (isInWall(x)) return true;
  return false;
}

/** Returns the fraction of starting points, evenly spread over a step, from which the wall is missed. */
function missed(step: number): number {
  const starts = Array.from({ length: 1000 }, (_, i) => (i / 1000) * step);
  return starts.filter((from) => !isSeen(from, step)).length / starts.length;
}

test("at 15 frames per second, a bullet moves 66.7 pixels per frame and usually misses a wall of 32", () => {
  const step = SPEED / 15;
  expect([SPEED, WALL_WIDTH, step.toFixed(1)]).toEqual([1000, 32, "66.7"]);
  expect(missed(step)).toBeCloseTo(1 - WALL_WIDTH / step, 2);
  expect(missed(step)).toBeGreaterThan(0.5);
});

test("at 30 frames per second (33.3 pixels) it sometimes misses, at 60 (16.7 pixels) never", () => {
  expect(missed(SPEED / 30)).toBeCloseTo(0.04, 2);
  expect((SPEED / 60).toFixed(1)).toBe("16.7");
  expect(missed(SPEED / 60)).toBe(0);
});

test("a swept test hits the front of the wall, however long the step", () => {
  expect([meetsWall(0, 1e6), meetsWall(WALL - 1, WALL), meetsWall(0, WALL - 1)]).toEqual([WALL, WALL, -1]);
  expect([meetsWall(WALL + 5, 1e6), meetsWall(WALL + WALL_WIDTH + 1, 1e6)]).toEqual([WALL + 5, -1]);
});

/** Returns the hits and misses of each lane after some seconds at a frame rate. */
function shot(hertz: number, seconds: number) {
  const slowness = FRAME_TICKS.findIndex((ticks) => ticks === 60 / hertz);
  const session = localSession(bullet, { inputs: ([player]) => void (player!.slowness = slowness) });
  while (session.tick < 60 * seconds) session.advance();
  const { hits, misses } = session.world.lanes;
  return { hits: [...hits], misses: [...misses], volleys: session.world.volleys };
}

test("at 15 frames per second, only the lane with variable steps lets bullets through", () => {
  const { hits, misses, volleys } = shot(15, 600);
  expect(volleys).toBeGreaterThan(400);
  expect(misses[Lane.variable]! / (volleys - 1)).toBeCloseTo(1 - WALL_WIDTH / (SPEED / 15), 1);
  expect([misses[Lane.fixed], misses[Lane.swept]]).toEqual([0, 0]);
  for (const lane of [Lane.fixed, Lane.swept]) expect(hits[lane]).toBeGreaterThanOrEqual(volleys - 1);
});

test("at 60 frames per second, all lanes agree", () => {
  const { hits, misses } = shot(60, 60);
  expect(misses).toEqual([0, 0, 0]);
  expect(new Set(hits).size).toBe(1);
});

test("a new bullet is not blended with the last one", () => {
  const session = localSession(bullet, { inputs: (players, { tick }) => bulletScript(players, tick) });
  let fired = 0;
  while (session.tick < 2000) {
    const before = session.world.lanes.x.slice();
    const { volleys } = session.world;
    session.advance();
    if (session.world.volleys === volleys) continue;
    fired++;
    expect([...session.view(0.5).lanes.x]).toEqual([...before]);
    expect(Math.max(...before)).toBeLessThan(END + SPEED / 15);
  }
  expect(fired).toBeGreaterThan(10);
});
