// Extrapolation: how far ahead it shows, that it never jumps, and what it costs at a bounce.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Loop } from "../index.js";
import {
  angle,
  extrapolate,
  hold,
  lerp,
  rotation,
  scalar,
  shift,
  smooth,
  smoothAll,
  smoothColumns,
  teleport,
} from "./index.js";

const AHEAD = { ahead: extrapolate(1) };

/** A ship that moves ten units per step, ten steps per second. */
function flight(steps = 1) {
  const ship = { x: 0, frame: 0 };
  const loop = new Loop({
    rate: 10,
    step() {
      ship.x += 10;
      ship.frame++;
    },
  });
  return { ship, loop, shown: smooth(loop, ship, { x: scalar, frame: hold }, { ahead: extrapolate(steps) }) };
}

describe("extrapolation", () => {
  test("shows at most one step ahead of the current state", () => {
    const { loop, shown } = flight();
    loop.advance(0.2);
    expect(shown).toEqual({ x: 20, frame: 2 });
    loop.advance(0.075);
    expect(shown.x).toBe(27.5);
    loop.advance(0.1);
    expect(shown.x).toBe(37.5);
  });

  test("half a step reduces lag by half a step", () => {
    const { loop, shown } = flight(0.5);
    loop.advance(0.2);
    expect(shown).toEqual({ x: 15, frame: 1 });
    loop.advance(0.05);
    expect(shown).toEqual({ x: 20, frame: 2 });
  });

  test("begins where the object stood, and catches up within a step", () => {
    const { loop, shown } = flight();
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      loop.advance(0.05);
      seen.push(shown.x);
    }
    expect(seen).toEqual([0, 0, 10, 20, 25, 30]);
  });

  test("does not cross a teleport or a write, and starts again after it", () => {
    const ship = { x: 0 };
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        ship.x += 10;
        if (tick === 2) teleport(ship);
      },
    });
    const shown = smooth(loop, ship, { x: scalar }, AHEAD);
    loop.advance(0.25);
    expect(shown.x).toBe(25);
    loop.advance(0.1);
    expect(shown.x).toBe(30);
    loop.advance(0.05);
    expect(shown.x).toBe(30);
    loop.advance(0.05);
    expect(shown.x).toBe(40);
    ship.x = 500;
    loop.advance(0.01);
    expect(shown.x).toBe(500);
    loop.advance(0.04);
    expect(shown.x).toBe(500);
    loop.advance(0.05);
    expect(shown.x).toBe(510);
  });

  test("does not take over the motion of an object that had the same place in the list", () => {
    const list = [{ x: 0 }, { x: 100 }, { x: 200 }];
    const loop = new Loop({
      rate: 10,
      step: () => {
        for (const crate of list) crate.x += 10;
      },
    });
    const shown = smoothAll(loop, list, { x: scalar }, AHEAD);
    loop.advance(0.25);
    expect(shown.map(({ x }) => x)).toEqual([25, 125, 225]);
    for (let i = 0; i < 4; i++) {
      // A new object, with the numbers of the one before.
      list[1] = { x: list[1]!.x };
      list.reverse();
      loop.advance(0.1);
      expect(shown[1]!.x).toBe(120 + 10 * i + 10);
    }
    expect(shown.map(({ x }) => x)).toEqual([65, 160, 265]);
  });

  test("is moved by a shift", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.25);
    shift(ship, { x: 1000 });
    loop.advance(0);
    expect(shown.x).toBe(1025);
    loop.advance(0.1);
    expect(shown.x).toBe(1035);
  });

  test("is exact at rest", () => {
    const rest = { x: 0.1 + 0.2, y: -0, heading: 7.123456789, big: 1e300, turn: [0, 0, 0.6, 0.8] };
    const columns = { y: Float64Array.of(-0) };
    const loop = new Loop({ rate: 10 });
    const fields = { x: scalar, y: scalar, heading: angle, big: scalar, turn: rotation };
    const shown = smooth(loop, rest, fields, AHEAD);
    const rows = smoothColumns(loop, columns, { y: scalar }, AHEAD);
    for (let i = 0; i < 40; i++) {
      loop.advance(0.037);
      expect(shown).toEqual(rest);
      expect(Object.is(rows.y[0], -0)).toBe(true);
    }
  });

  test("turns angles and rotations on, the short way", () => {
    const turning = { heading: 3, turn: [0, 0, 0, 1] };
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        turning.heading = -3 + 0.28318530717958623 * tick;
        const half = 0.1 * (tick + 1);
        turning.turn = [0, 0, Math.sin(half), Math.cos(half)];
      },
    });
    const shown = smooth(loop, turning, { heading: angle, turn: rotation }, AHEAD);
    loop.advance(0.25);
    expect(Math.cos(shown.heading)).toBeCloseTo(Math.cos(-3 + 0.28318530717958623 * 1.5), 12);
    expect(shown.turn[2]).toBeCloseTo(Math.sin(0.25), 12);
  });
});

/** Draws a motion at 100 frames per second, and returns what each method shows. */
function drawn(positionOf: (tick: number) => number, steps: number) {
  const body = { x: positionOf(0) };
  const columns = { x: Float64Array.of(body.x) };
  const states = [body.x, body.x, body.x];
  const loop = new Loop({
    rate: 10,
    step({ tick }) {
      columns.x[0] = body.x = positionOf(tick + 1);
      states.shift();
      states.push(body.x);
    },
  });
  const ours = smooth(loop, body, { x: scalar }, AHEAD);
  const inColumns = smoothColumns(loop, columns, { x: scalar }, AHEAD);
  const seen = { ours: [] as number[], columns: [] as number[], his: [] as number[], naive: [] as number[] };
  for (let i = 0; i < 10 * steps; i++) {
    loop.advance(0.01);
    const [older, previous, current] = states as [number, number, number];
    seen.ours.push(ours.x);
    seen.columns.push(inColumns.x[0]!);
    // Previous + its extrapolation, blended with current + its extrapolation.
    seen.his.push(lerp(previous + (previous - older), current + (current - previous), loop.alpha));
    // Current + its extrapolation up to now.
    seen.naive.push(lerp(previous, current, 1 + loop.alpha));
  }
  return seen;
}

/** Returns by how much a move differs from the one before, at most. */
function maxChange(shown: readonly number[]): number {
  let max = 0;
  for (let i = 30; i < shown.length; i++)
    max = Math.max(max, Math.abs(shown[i]! - 2 * shown[i - 1]! + shown[i - 2]!));
  return max;
}

test("an accelerating body: moves change by 0.100 from frame to frame, where naive extrapolation has 1.000", () => {
  const { ours, columns, his, naive } = drawn((tick) => 50 * (tick / 10) ** 2, 30);
  const figures = [naive, his, ours, columns].map((shown) => maxChange(shown).toFixed(3));
  expect(figures).toEqual(["1.000", "0.100", "0.100", "0.100"]);
  expect(maxChange(ours)).toBeLessThanOrEqual(1.05 * maxChange(his));
});

test("any motion is drawn as by the recipe, between two extrapolations that are at most one move ahead", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 4, maxLength: 12 }),
      (places) => {
        const { ours, columns, his } = drawn((tick) => places[tick] ?? 0, places.length - 1);
        const allowed = Math.max(...places.map((place, i) => Math.abs(place - (places[i - 1] ?? place))));
        for (let i = 0; i < ours.length; i++) {
          expect(ours[i]).toBeCloseTo(his[i]!, 8);
          expect(columns[i]).toBe(ours[i]);
          expect(Math.abs(ours[i]!)).toBeLessThanOrEqual(Math.max(...places.map(Math.abs)) + allowed);
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe("at a bounce off a wall at 85, with 30 units per step", () => {
  /** Returns how deep the picture enters the wall, and its longest move. Frames are a tenth of a step: 3 is the normal move. */
  function cost(shown: readonly number[]) {
    const moves = shown.slice(30).map((x, i) => Math.abs(x - shown[29 + i]!));
    return { depth: Math.round(Math.max(...shown) - 85), move: Math.round(Math.max(...moves)) };
  }

  test("in the middle of a step, the picture goes back at twice the speed instead of jumping", () => {
    const { ours, naive } = drawn((tick) => [-20, 10, 40, 70, 70, 40, 10, -20, -50][tick]!, 8);
    // The last frame before a step shows nine tenths.
    expect([cost(naive), cost(ours)]).toEqual([
      { depth: 12, move: 30 },
      { depth: 15, move: 6 },
    ]);
  });

  test("at any time, it enters the wall by at most one move, and returns at up to three times the speed", () => {
    const worst = { depth: 0, move: 0 };
    for (let start = -50; start < -20; start++) {
      const { ours } = drawn((tick) => 85 - Math.abs(85 - start - 30 * tick), 8);
      const { depth, move } = cost(ours);
      worst.depth = Math.max(worst.depth, depth);
      worst.move = Math.max(worst.move, move);
    }
    expect(worst).toEqual({ depth: 30, move: 9 });
  });
});

test("rejects steps that are not from 0 to 1", () => {
  for (const steps of [-0.1, 1.1, NaN, "1", undefined])
    expect(() => extrapolate(steps as never)).toThrow("extrapolate: steps must be a number from 0 to 1, got");
});
