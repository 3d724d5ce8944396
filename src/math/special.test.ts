import { describe, expect, test } from "vitest";
import type { Call } from "../../test/math/functions.js";
import * as math from "./index.js";

const { PI } = Math;
const { MAX_VALUE: MAX, MIN_VALUE: TINY, POSITIVE_INFINITY: INF } = Number;

/** The results that ECMAScript specifies, by function and argument. */
const SPECIFIED: Record<string, [number, number][]> = {
  acos: [
    [NaN, NaN],
    [1, 0],
    [1 + 2 ** -52, NaN],
    [-1 - 2 ** -52, NaN],
    [-1, PI],
    [INF, NaN],
  ],
  acosh: [
    [NaN, NaN],
    [1, 0],
    [0.9, NaN],
    [-INF, NaN],
    [INF, INF],
  ],
  asin: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [1.1, NaN],
    [-1.1, NaN],
    [1, PI / 2],
    [-1, -PI / 2],
    [TINY, TINY],
  ],
  asinh: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, INF],
    [-INF, -INF],
    [-TINY, -TINY],
  ],
  atan: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, PI / 2],
    [-INF, -PI / 2],
    [TINY, TINY],
    [MAX, PI / 2],
  ],
  atanh: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [1, INF],
    [-1, -INF],
    [1.1, NaN],
    [-INF, NaN],
    [TINY, TINY],
  ],
  cbrt: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, INF],
    [-INF, -INF],
    [27, 3],
    [-1e-300, -1e-100],
  ],
  cos: [
    [NaN, NaN],
    [0, 1],
    [-0, 1],
    [INF, NaN],
    [-INF, NaN],
    [TINY, 1],
  ],
  cosh: [
    [NaN, NaN],
    [0, 1],
    [-0, 1],
    [INF, INF],
    [-INF, INF],
    [711, INF],
    [-711, INF],
  ],
  exp: [
    [NaN, NaN],
    [0, 1],
    [-0, 1],
    [INF, INF],
    [-INF, 0],
    [710, INF],
    [-746, 0],
    [-745, TINY],
  ],
  expm1: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, INF],
    [-INF, -1],
    [-50, -1],
    [710, INF],
    [TINY, TINY],
  ],
  log: [
    [NaN, NaN],
    [1, 0],
    [0, -INF],
    [-0, -INF],
    [-1, NaN],
    [-TINY, NaN],
    [-INF, NaN],
    [INF, INF],
  ],
  log10: [
    [NaN, NaN],
    [1, 0],
    [0, -INF],
    [-0, -INF],
    [-1, NaN],
    [-INF, NaN],
    [INF, INF],
    [1e300, 300],
  ],
  log1p: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [-1, -INF],
    [-1.1, NaN],
    [-INF, NaN],
    [INF, INF],
    [-TINY, -TINY],
  ],
  log2: [
    [NaN, NaN],
    [1, 0],
    [0, -INF],
    [-0, -INF],
    [-1, NaN],
    [-INF, NaN],
    [INF, INF],
    [TINY, -1074],
  ],
  sin: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, NaN],
    [-INF, NaN],
    [TINY, TINY],
  ],
  sinh: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, INF],
    [-INF, -INF],
    [711, INF],
    [-711, -INF],
  ],
  tan: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, NaN],
    [-INF, NaN],
    [-TINY, -TINY],
  ],
  tanh: [
    [NaN, NaN],
    [0, 0],
    [-0, -0],
    [INF, 1],
    [-INF, -1],
    [MAX, 1],
    [TINY, TINY],
  ],
};
test.each(Object.entries(SPECIFIED))(
  "%s returns the specified results for special arguments",
  (name, pairs) => {
    const call = (math as unknown as Record<string, Call>)[name]!;
    for (const [x, result] of pairs) expect(call(x), `${name}(${x})`).toBe(result);
  },
);

/** Zeros, infinities, odd and even numbers, fractions, and the limits of doubles. */
const EXTREMES = [
  0,
  1,
  2,
  3,
  0.5,
  1.5,
  4,
  5,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 54,
  1e21,
  1e300,
  MAX,
  TINY,
  2 ** -1022,
  INF,
  NaN,
];
const extremes = EXTREMES.flatMap((x) => [x, -x]);

test.each([
  ["pow", math.pow, Math.pow],
  ["atan2", math.atan2, Math.atan2],
])("%s matches the engine for all pairs of extremes", (name, ours, theirs) => {
  const signed = (x: number) => (Object.is(x, -0) ? "-0" : `${x}`);
  const wrong: string[] = [];
  let special = 0;
  for (const x of extremes)
    for (const y of extremes) {
      const got = ours(x, y);
      const wanted = theirs(x, y);
      // ECMAScript specifies these exactly; others may differ in the last bits.
      const isSpecial = [0, 1, INF].includes(Math.abs(wanted)) || wanted !== wanted;
      const isRight = Object.is(got, wanted) || (!isSpecial && Math.abs(got / wanted - 1) < 1e-12);
      if (isSpecial) special++;
      if (!isRight) wrong.push(`${name}(${signed(x)}, ${signed(y)}) = ${got}, not ${wanted}`);
    }
  expect(wrong).toEqual([]);
  expect(special).toBeGreaterThan(200);
});

describe("hypot", () => {
  test("is infinite if one side is, even if another is NaN", () => {
    expect(math.hypot(INF, NaN)).toBe(INF);
    expect(math.hypot(NaN, 0, -INF)).toBe(INF);
    expect(math.hypot(NaN, 1)).toBe(NaN);
    expect(math.hypot(0, 0, NaN)).toBe(NaN);
  });
  test("is +0 for zeros", () => {
    expect(math.hypot(-0, -0)).toBe(0);
    expect(math.hypot(0, -0, -0)).toBe(0);
  });
  test("does not overflow or underflow on the way", () => {
    expect(math.hypot(3e300, 4e300)).toBe(5e300);
    expect(math.hypot(3 * TINY, 4 * TINY)).toBe(5 * TINY);
    expect(math.hypot(2e-300, 3e-300, 6e-300)).toBe(7e-300);
    expect(math.hypot(MAX, MAX)).toBe(INF);
    expect(math.hypot(MAX, 0, 0)).toBe(MAX);
  });
});

describe("degrees and turns", () => {
  test("are exact at any number of quarter turns", () => {
    const quarters = [0, 1, 0, -1];
    for (let n = -40; n <= 40; n++) {
      const sine = quarters[n & 3]!;
      // A zero sine has the sign of the angle; a zero cosine is +0.
      expect(math.sinDegrees(90 * n), `${90 * n}`).toBe(sine || (n < 0 ? -0 : 0));
      expect(math.sinTurns(n / 4), `${n / 4}`).toBe(sine || (n < 0 ? -0 : 0));
      expect(math.cosDegrees(90 * n)).toBe(quarters[(n + 1) & 3]);
      expect(math.cosTurns(n / 4)).toBe(quarters[(n + 1) & 3]);
    }
    expect(math.cosTurns(2 ** 50 + 0.25)).toBe(0);
    expect(math.sinDegrees(360 * 2 ** 40 + 30)).toBe(0.5);
    expect(math.sinDegrees(-0)).toBe(-0);
    expect(math.sinTurns(INF)).toBe(NaN);
    expect(math.cosDegrees(NaN)).toBe(NaN);
  });
  test("are as accurate for numbers below 2^-1022", () => {
    for (let n = 1; n < 4e9; n = Math.ceil(n * 1.001)) {
      // In units of the smallest double.
      const of = (call: Call) => call(n * TINY) / TINY;
      expect(Math.abs(of(math.sinDegrees) - (n * PI) / 180), `sinDegrees(${n} × 2^-1074)`).toBeLessThan(0.51);
      expect(Math.abs(of(math.sinTurns) - n * 2 * PI), `sinTurns(${n} × 2^-1074)`).toBeLessThan(0.51);
    }
  });
  test("are exact if the result is a double", () => {
    expect(math.sinDegrees(30)).toBe(0.5);
    expect(math.sinDegrees(-150)).toBe(-0.5);
    expect(math.cosDegrees(60)).toBe(0.5);
    expect(math.cosDegrees(-240)).toBe(-0.5);
    expect(math.toRadians(180)).toBe(PI);
    expect(math.toDegrees(PI)).toBe(180);
  });
});

test("powers, roots and logarithms are exact if the result is a double", () => {
  const wrong: unknown[] = [];
  const check = (what: string, got: number, exact: number) => got === exact || wrong.push([what, got, exact]);
  for (let n = -1074; n < 1024; n++) {
    check(`log2(2^${n})`, math.log2(2 ** n), n);
    check(`pow(2, ${n})`, math.pow(2, n), 2 ** n);
  }
  for (let n = -307; n <= 308; n++) check(`log10(1e${n})`, math.log10(Number(`1e${n}`)), n);
  for (let n = -1000; n <= 1000; n++) {
    check(`cbrt(${n}³)`, math.cbrt(n * n * n), n);
    check(`pow(${n}, 2)`, math.pow(n, 2), n * n);
    check(`pow(${n}, 3)`, math.pow(n, 3), n * n * n);
    check(`pow(${n}², 0.5)`, math.pow(n * n, 0.5), Math.abs(n));
    check(`hypot of 3, 4 times ${n}`, math.hypot(3 * n, 4 * n), Math.abs(5 * n));
    check(`hypot of 2, 3, 6 times ${n}`, math.hypot(2 * n, 3 * n, 6 * n), Math.abs(7 * n));
  }
  expect(wrong).toEqual([]);
});
