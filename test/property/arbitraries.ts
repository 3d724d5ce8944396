/** Rates and times for all properties. Times are whole nanoseconds. */
import fc from "fast-check";
import { FULL } from "../full.js";

const SECOND = 1e9;

/** Options of `fc.assert`: more runs in the full test. */
export const runs = (count: number) => ({ numRuns: FULL ? 10 * count : count });

/** Rates at which all times below are exact: frames are a single piece, of at most 2^51 units. */
export const rate = fc.oneof(
  fc.constantFrom<[number, number]>(
    [60, 1],
    [30, 1],
    [165, 1],
    [60_000, 1001],
    [2997, 50],
    [360_003, 2500],
    [1, 3],
    [128, 1],
    [1, 3600],
    [10_000, 1],
  ),
  fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 })),
  fc.tuple(fc.integer({ min: 1, max: 4e5 }), fc.integer({ min: 1e3, max: 1e6 })),
);

/** Rates with more units per second than a long frame can add at once. */
export const fineRate = fc.oneof(
  fc.constantFrom<[number, number]>([22_000_001, 1_000_000], [10_000_000, 166_833]),
  fc.tuple(fc.integer({ min: 1e7, max: 3e7 }), fc.integer({ min: 1e5, max: 1e6 })),
);

/** The times between two frames: of displays, stalls, and clocks that go back. */
export const elapsed = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4e7 }) },
  { weight: 2, arbitrary: fc.constantFrom(16_666_667, 16_666_666, 6_944_444, 33_333_333) },
  { weight: 1, arbitrary: fc.integer({ min: -1e9, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 * SECOND }) },
);

/** Time scales in billionths. */
export const scale = fc.oneof(
  fc.constantFrom(SECOND, 0, 300_000_000, 347_712_371, 2 * SECOND, 1),
  fc.integer({ min: 0, max: 5 * SECOND }),
);
