import { expect, test } from "vitest";
import type { Call } from "../../test/math/functions.js";
import { Mulberry32 } from "../../test/math/mulberry32.js";
import { USUAL_ARGUMENTS } from "../../test/math/usual-arguments.js";
import { errorIn } from "../../test/math/vectors.mjs";
import * as math from "./index.js";

const functions = math as unknown as Record<string, Call>;
const COUNT = 20_000;
const drawn = (name: string, count = COUNT) => {
  const numbers = new Mulberry32(7);
  return Array.from({ length: count }, () => USUAL_ARGUMENTS[name]!(numbers));
};

/** The first arguments for which two results differ, even if only in a bit or in the sign of a zero. */
const firstOther = (name: string, one: Call, other: Call) =>
  drawn(name).find((args) => !Object.is(one(...args), other(...args)));

const ODD = [
  "asin",
  "asinh",
  "atan",
  "atanh",
  "cbrt",
  "sin",
  "sinDegrees",
  "sinTurns",
  "sinh",
  "tan",
  "tanh",
  "toDegrees",
  "toRadians",
];
test.each(ODD)("%s is exactly odd", (name) => {
  const call = functions[name]!;
  expect(
    firstOther(
      name,
      (x) => call(-x!),
      (x) => -call(x!),
    ),
  ).toBeUndefined();
});

test.each(["cos", "cosDegrees", "cosTurns", "cosh"])("%s is exactly even", (name) => {
  const call = functions[name]!;
  expect(
    firstOther(
      name,
      (x) => call(-x!),
      (x) => call(x!),
    ),
  ).toBeUndefined();
});

test("atan2 is exactly odd in y", () => {
  const { atan2 } = math;
  expect(
    firstOther(
      "atan2",
      (y, x) => atan2(-y!, x!),
      (y, x) => -atan2(y!, x!),
    ),
  ).toBeUndefined();
});

test("hypot ignores signs, and the order of two arguments", () => {
  const { hypot } = math;
  expect(
    firstOther(
      "hypot",
      (x, y, z) => hypot(-x!, y!, -z!),
      (x, y, z) => hypot(x!, y!, z),
    ),
  ).toBeUndefined();
  expect(
    firstOther(
      "hypot",
      (x, y) => hypot(y!, x!),
      (x, y) => hypot(x!, y!),
    ),
  ).toBeUndefined();
});

/** The range in which each function is monotonic. */
const RISING: Record<string, [number, number]> = {
  acosh: [1, 20],
  asin: [-1, 1],
  asinh: [-20, 20],
  atan: [-20, 20],
  atanh: [-0.99, 0.99],
  cbrt: [-20, 20],
  exp: [-708, 709],
  expm1: [-30, 30],
  log: [1e-3, 20],
  log10: [1e-3, 20],
  log1p: [-0.99, 20],
  log2: [1e-3, 20],
  sin: [-1.57, 1.57],
  sinh: [-700, 700],
  tan: [-1.57, 1.57],
  tanh: [-10, 10],
};
test.each(Object.entries(RISING))("%s never decreases", (name, [from, to]) => {
  const call = functions[name]!;
  const xs = Array.from({ length: COUNT + 1 }, (_, i) => from + ((to - from) * i) / COUNT);
  expect(xs.find((x, i) => i > 0 && !(call(x) > call(xs[i - 1]!)))).toBeUndefined();
});

/** Allowed difference from the engine in ulp, where its own error exceeds two. reference.test.ts checks our errors. */
const ENGINE_ERRORS: Record<string, number> = {
  sinh: 4,
  cosh: 4,
  tanh: 4,
  asinh: 4,
  acosh: 4,
  atanh: 4,
  pow: 2000,
};
const inMath = Object.keys(USUAL_ARGUMENTS).filter((name) => name in Math);
test.each(inMath)("%s is close to the engine's Math function for many arguments", (name) => {
  const theirs = (Math as unknown as Record<string, Call>)[name]!;
  const call = functions[name]!;
  let worst = 0;
  for (const args of drawn(name, 100_000)) {
    const expected = theirs(...args);
    const got = call(...args);
    if (Object.is(got, expected)) continue;
    // At the end of the range, only one of them may overflow.
    if (Math.abs(expected) > 1.79e308 && Math.abs(got) > 1.79e308) continue;
    worst = Math.max(worst, errorIn(got, expected, 0));
  }
  expect(worst).toBeLessThanOrEqual(ENGINE_ERRORS[name] ?? 2);
});
