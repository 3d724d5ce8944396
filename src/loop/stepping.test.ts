import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepInfo } from "./info.js";
import { Loop } from "./loop.js";
import { catchUp } from "./parts/catch-up.js";
import { onePerFrame, semiFixed, variable, type Stepping } from "./stepping.js";

function told(stepping: Stepping, frames: readonly number[], rate = 60): StepInfo[] {
  const steps: StepInfo[] = [];
  const loop = new Loop({ rate, stepping, maxFrameTime: 10, step: (info) => void steps.push({ ...info }) });
  for (const frame of frames) loop.advance(frame);
  return steps;
}

test("onePerFrame runs one step per frame, however long the frame was", () => {
  expect(told(onePerFrame(), [0.001, 0.5, 0, -1, 0.016]).map(({ dt, time }) => [dt, time])).toEqual([
    [1 / 60, 0],
    [1 / 60, 1 / 60],
    [1 / 60, 2 / 60],
  ]);
});

test("variable runs one step as long as the frame", () => {
  expect(told(variable(), [0.01, 0.25, 0, 0.02])).toEqual([
    { tick: 0, dt: 0.01, time: 0 },
    { tick: 1, dt: 0.25, time: 0.01 },
    { tick: 2, dt: 0.02, time: 0.26 },
  ]);
});

test("variable saves up frames below min and splits frames above max", () => {
  const dts = told(variable({ min: 0.01, max: 0.04 }), [0.004, 0.004, 0.004, 0.1, 0.04]).map(({ dt }) => dt);
  expect(dts).toEqual([0.012, 0.1 / 3, 0.1 / 3, 0.1 / 3, 0.04].map((dt) => expect.closeTo(dt, 12)));
});

test("saves up the rest if even parts would be too short", () => {
  expect(told(variable({ min: 0.01, max: 0.012 }), [0.013, 0.009]).map(({ dt }) => dt)).toEqual([
    0.012, 0.01,
  ]);
});

test("semiFixed runs whole steps and then the remainder", () => {
  expect(told(semiFixed(), [0.25], 10).map(({ dt }) => dt)).toEqual([0.1, 0.1, 0.05]);
});

test("semiFixed splits evenly", () => {
  expect(told(semiFixed({ split: "even" }), [0.25], 10).map(({ dt }) => dt)).toEqual([
    0.0833333333, 0.0833333334, 0.0833333333,
  ]);
});

test("a frame of exactly one step runs one step, although 1 / 60 is not a whole number of nanoseconds", () => {
  for (const split of ["remainder", "even"] as const)
    expect(
      told(
        semiFixed({ split }),
        Array.from({ length: 60 }, () => 1 / 60),
      ),
    ).toHaveLength(60);
});

test("parts stay within their limits and lose no time", () => {
  const frames = fc.array(fc.integer({ min: 1, max: 3e8 }), { minLength: 1, maxLength: 30 });
  const even = fc.boolean();
  fc.assert(
    fc.property(frames, even, fc.integer({ min: 1, max: 240 }), (frames, even, rate) => {
      const steps = told(
        semiFixed({ split: even ? "even" : "remainder" }),
        frames.map((ns) => ns / 1e9),
        rate,
      );
      for (const { dt } of steps) expect(dt).toBeLessThanOrEqual(1 / rate);
      const last = steps.at(-1)!;
      expect(last.time + last.dt).toBeCloseTo(frames.reduce((sum, ns) => sum + ns, 0) / 1e9, 7);
    }),
  );
  fc.assert(
    fc.property(
      frames,
      fc.integer({ min: 1e6, max: 5e7 }),
      fc.integer({ min: 0, max: 5e7 }),
      (frames, min, more) => {
        const range = { min: min / 1e9, max: (min + more) / 1e9 };
        for (const { dt } of told(
          variable(range),
          frames.map((ns) => ns / 1e9),
        )) {
          expect(dt).toBeGreaterThanOrEqual(range.min);
          expect(dt).toBeLessThanOrEqual(range.max);
        }
      },
    ),
  );
});

test("overload drops steps of a stepping, and reports how much time they had", () => {
  const loop = new Loop({ rate: 10, stepping: semiFixed(), maxSteps: 1, maxFrameTime: 1 });
  loop.advance(0.25);
  expect([loop.tick, loop.lostSeconds, loop.time]).toEqual([1, expect.closeTo(0.15, 12), 0.1]);
  // The length of later steps does not change what was lost.
  loop.advance(0.01);
  expect([loop.lostSeconds, loop.time]).toEqual([expect.closeTo(0.15, 12), 0.11]);
});

test("a step of another stepping may also be made up for later", () => {
  const loop = new Loop({ rate: 10, stepping: semiFixed(), maxSteps: 1, maxFrameTime: 1 });
  const debt = catchUp(loop, 1);
  loop.advance(0.25);
  expect([loop.tick, loop.lostSeconds, debt.debt]).toEqual([1, 0, 0.15]);
  loop.advance(0.01);
  loop.advance(0.01);
  expect([loop.time, debt.debt]).toEqual([expect.closeTo(0.27, 9), 0]);
});

test("saves up frames below min, even if that is longer than a step of the rate", () => {
  const dts: number[] = [];
  const loop = new Loop({
    rate: 60,
    stepping: variable({ min: 0.05 }),
    step: ({ dt }) => void dts.push(Math.round(dt * 1e6) / 1e6),
  });
  for (let i = 0; i < 6; i++) loop.advance(0.02);
  expect([dts, loop.lostSeconds]).toEqual([[0.06, 0.06], 0]);
});

test("a pause in a step discards what is left of the frame, and nothing that was saved up", () => {
  const loop: Loop = new Loop({ rate: 10, stepping: semiFixed(), step: () => loop.pause(), maxFrameTime: 1 });
  loop.advance(0.35);
  expect([loop.time, loop.lostSeconds, loop.kernel.owed]).toEqual([0.1, 0, 0]);
});

test("shows the newest state", () => {
  const loop = new Loop({ rate: 60, stepping: variable() });
  loop.advance(0.02);
  expect([loop.alpha, loop.frame.shownTime, loop.time]).toEqual([1, 0.02, 0.02]);
});

test("runSteps runs steps of 1 / rate", () => {
  const dts: number[] = [];
  const loop = new Loop({ rate: 50, stepping: variable(), step: ({ dt }) => void dts.push(dt) });
  loop.runSteps(2);
  expect(dts).toEqual([0.02, 0.02]);
});

test("rejects bad options", () => {
  expect(() => variable({ min: 0.1, max: 0.01 })).toThrow(
    "variable: min must be a number from 0 to 0.01, got 0.1. Try 1 / 240.",
  );
  expect(() => variable({ max: 0 })).toThrow(
    "variable: max must be a number from 0.000001 to 3600, got 0. Try 1 / 30.",
  );
  // @ts-expect-error neither of the two
  expect(() => semiFixed({ split: "evn" })).toThrow(
    'semiFixed: split must be "remainder" or "even", got "evn". Try "even".',
  );
  // The functions themselves are no steppings.
  for (const stepping of [onePerFrame, variable, semiFixed])
    expect(() => new Loop({ rate: 60, stepping: stepping as never })).toThrow(
      /^(onePerFrame|variable|semiFixed): /,
    );
});
