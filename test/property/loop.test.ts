import fc from "fast-check";
import { test } from "vitest";
import {
  attachingDoesNotMatter,
  beatsKeepPhase,
  equalsModel,
  scaleDoesNotChangeSteps,
  splitDoesNotMatter,
  type Action,
} from "./properties.js";

const SECOND = 1e9;

const rate = fc.oneof(
  fc.constantFrom<[number, number]>(
    [60, 1],
    [30, 1],
    [165, 1],
    [60000, 1001],
    [2997, 50],
    [360003, 2500],
    [1, 3],
    [128, 1],
  ),
  fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 })),
  fc.tuple(fc.integer({ min: 1, max: 3e7 }), fc.integer({ min: 1e5, max: 1e6 })),
);
const elapsed = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4e7 }) },
  { weight: 2, arbitrary: fc.constantFrom(16666667, 16666666, 6944444, 33333333) },
  { weight: 1, arbitrary: fc.integer({ min: -1e9, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 * SECOND }) },
);
const scale = fc.oneof(
  fc.constantFrom(SECOND, 0, 300000000, 347712371, 2 * SECOND, 1),
  fc.integer({ min: 0, max: 5 * SECOND }),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      { do: fc.constant("advance" as const), time: elapsed, pauseIn: fc.integer({ min: 0, max: 6 }) },
      { requiredKeys: ["do", "time"] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("resume" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("scale" as const),
      scale,
      over: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 * SECOND })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("runSteps" as const), count: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        do: fc.constant("policy" as const),
        maxFrame: fc.integer({ min: 1, max: SECOND }),
        maxSteps: fc.nat(6),
        budget: fc.oneof(fc.constant(0), fc.integer({ min: 1000, max: 5e7 })),
        catchUp: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 * SECOND })),
      },
      { requiredKeys: ["do"] },
    ),
  },
);

const pacing = fc.constantFrom("raw" as const, "display" as const);

test("ticks, overstep, debt, lost time and alpha equal the model's, frame by frame", () => {
  fc.assert(
    fc.property(rate, fc.array(action, { maxLength: 60 }), fc.nat(30000), fc.boolean(), pacing, equalsModel),
    { numRuns: 1500 },
  );
});

test("a loop with listeners gives the same results", () => {
  fc.assert(fc.property(rate, fc.array(action, { maxLength: 60 }), attachingDoesNotMatter), { numRuns: 700 });
});

test("any split of the same elapsed time gives the same ticks and alpha", () => {
  const parts = fc.array(fc.integer({ min: 1, max: 3e7 }), { minLength: 1, maxLength: 40 });
  const ramp = fc.option(fc.record({ scale, over: fc.integer({ min: 1, max: SECOND }) }), { nil: undefined });
  fc.assert(
    fc.property(
      rate,
      scale,
      parts,
      fc.infiniteStream(fc.integer({ min: 1, max: 3e7 })),
      ramp,
      (rate, scale, parts, cuts, ramp) => {
        const other: number[] = [];
        let left = parts.reduce((sum, part) => sum + part, 0);
        for (const cut of cuts) {
          other.push(Math.min(cut, left));
          left -= other.at(-1)!;
          if (left === 0) break;
        }
        splitDoesNotMatter({ rate, timeScale: scale / SECOND }, parts, other, ramp);
      },
    ),
    { numRuns: 500 },
  );
});

test("slow motion runs the same steps, bit for bit", () => {
  fc.assert(
    fc.property(
      rate,
      scale,
      fc.array(fc.integer({ min: 1, max: 5e7 }), { maxLength: 50 }),
      scaleDoesNotChangeSteps,
    ),
    { numRuns: 200 },
  );
});

test("beats keep exact phase, in order of exact time, then of declaration", () => {
  const slow = fc.oneof(
    fc.constantFrom<[number, number]>([60, 1], [30, 1], [50, 1], [60000, 1001], [1, 3], [360003, 2500]),
    fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 })),
  );
  const beats = fc.array(fc.record({ rate: slow, from: fc.oneof(fc.constant(0), fc.nat(40)) }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      slow,
      beats,
      fc.array(elapsed, { maxLength: 40 }),
      fc.constantFrom(1, 2, Infinity),
      beatsKeepPhase,
    ),
    { numRuns: 500 },
  );
});
