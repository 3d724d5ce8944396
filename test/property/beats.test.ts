import fc from "fast-check";
import { expect, test } from "vitest";
import { every, Loop } from "../../src/index.js";
import { elapsed, runs } from "./arbitraries.js";

const slow = fc.oneof(
  fc.constantFrom<[number, number]>([60, 1], [30, 1], [50, 1], [60_000, 1001], [1, 3], [360_003, 2500]),
  fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 })),
);

interface Declared {
  readonly rate: readonly [number, number];
  /** The step before which it is declared. */
  readonly from: number;
}

/**
 * Each beat k of rate b runs just before the first step n with n / rate ≥ k / b. Beats before the same step run in order of
 * exact time, then of declaration.
 */
function beatsKeepPhase(
  rate: readonly [number, number],
  beats: readonly Declared[],
  frames: readonly number[],
  maxSteps: number,
): void {
  const heard: string[] = [];
  const loop = new Loop({ rate, maxSteps, step: ({ tick }) => void heard.push(`step ${tick}`) });
  const declare = (at: number) =>
    beats.forEach((beat, i) => {
      if (beat.from === at) every(loop, beat.rate, ({ tick }) => void heard.push(`beat ${i} ${tick}`));
    });
  declare(0);
  loop.on("afterStep", ({ tick }) => declare(tick + 1));
  for (const time of frames) loop.advance(time / 1e9);
  loop.runSteps(3);

  const expected: string[] = [];
  const [numerator, denominator] = loop.rate.map(BigInt) as [bigint, bigint];
  const next = beats.map(() => 0n);
  for (let step = 0n; step < BigInt(loop.tick); step++) {
    const due: { at: bigint; below: bigint; i: number; k: bigint }[] = [];
    beats.forEach((beat, i) => {
      const [above, below] = beat.rate.map(BigInt) as [bigint, bigint];
      // k / b ≤ n / rate, as k × below × numerator ≤ n × denominator × above.
      for (; next[i]! * below * numerator <= step * denominator * above; next[i]!++)
        if (beat.from <= step) due.push({ at: next[i]! * below, below: above, i, k: next[i]! });
    });
    due.sort(
      (a, b) => Number(a.at * b.below - b.at * a.below) || beats[a.i]!.from - beats[b.i]!.from || a.i - b.i,
    );
    for (const { i, k } of due) expected.push(`beat ${i} ${k}`);
    expected.push(`step ${step}`);
  }
  expect(heard).toEqual(expected);
}

test("beats keep exact phase, in order of exact time, then of declaration", () => {
  const beats = fc.array(fc.record({ rate: slow, from: fc.oneof(fc.constant(0), fc.nat(40)) }), {
    maxLength: 5,
  });
  const frames = fc.array(elapsed, { maxLength: 40 });
  fc.assert(fc.property(slow, beats, frames, fc.constantFrom(1, 2, Infinity), beatsKeepPhase), runs(300));
});

test("a beat's alpha lies between 0 and 1, and grows until the next beat", () => {
  fc.assert(
    fc.property(
      slow,
      slow,
      fc.array(fc.integer({ min: 1, max: 5e7 }), { maxLength: 60 }),
      (rate, beatRate, frames) => {
        const loop = new Loop({ rate });
        const beat = every(loop, beatRate, () => {});
        let [shown, tick] = [0, 0];
        for (const time of frames) {
          loop.advance(time / 1e9);
          expect(beat.alpha >= 0 && beat.alpha <= 1).toBe(true);
          const isSame = beat.tick === tick && tick > 0;
          expect(beat.alpha).toBeGreaterThanOrEqual(isSame ? shown - 1e-9 : 0);
          [shown, tick] = [beat.alpha, beat.tick];
        }
      },
    ),
    runs(200),
  );
});
