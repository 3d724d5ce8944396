import { expect, test } from "vitest";
import derived from "../../test/math/bounds.json" with { type: "json" };
import { functionsOf, type Call } from "../../test/math/functions.js";
import { statedErrors, statedWhereNormal } from "../../test/math/stated.js";
import { errorAtWorst } from "../../test/math/worst.js";
import { errorIn, readVectors, worstOf } from "../../test/math/vectors.mjs";
import * as math from "./index.js";

const functions = functionsOf(math);
const calls = Object.entries(functions);
const stated = statedErrors();

test("every function states an error of at most 1 ulp", () => {
  expect(Object.keys(stated).sort()).toEqual(Object.keys(functions).sort());
  for (const [name, error] of Object.entries(stated)) expect(error, name).toBeLessThanOrEqual(1);
});

test.each(calls)("%s stays within its stated error on the hardest arguments", (name, call) => {
  const vectors = readVectors(name);
  expect(vectors.count).toBeGreaterThanOrEqual(2500);
  const { error, at } = worstOf(call, vectors);
  // The vectors are accurate to 1/500 ulp.
  expect(error, `${name}(${at})`).toBeLessThan(stated[name]! + 0.002);
});

test("every stated error is the bound that test/math/bounds.py derives, rounded up", () => {
  expect(Object.keys(derived).sort()).toEqual(Object.keys(stated).sort());
  for (const [name, bound] of Object.entries(derived)) {
    expect(stated[name], name).toBeGreaterThanOrEqual(bound);
    expect(stated[name], name).toBeLessThan(bound + 0.02);
  }
});

test.each(calls)(
  "%s stays within its stated error at the worst arguments that searches have found",
  (name, call) => {
    const error = errorAtWorst(name, call);
    expect(error).toBeLessThan(stated[name]!);
    // A bound far above all found errors would be meaningless.
    expect(error).toBeGreaterThan(stated[name]! - 0.2);
  },
);

// Subnormal results of these are rounded twice, so they state a separate bound for normal results.
test.each(Object.entries(statedWhereNormal()))(
  "%s stays within the error that it states for normal results",
  (name, bound) => {
    const error = errorAtWorst(name, functions[name]!, "normal");
    expect(error).toBeGreaterThan(0.49);
    expect(error).toBeLessThan(bound);
  },
);

test("detects an additional error of one ulp in each binade and for subnormals", () => {
  expect(errorIn(1, 1, 0)).toBe(0);
  expect(errorIn(1 + 2 ** -52, 1, 0.25)).toBe(0.75);
  // Just below a power of two, doubles are twice as dense.
  expect(errorIn(1 - 2 ** -53, 1, -0.25)).toBe(0.75);
  expect(errorIn(2 * Number.MIN_VALUE, Number.MIN_VALUE, 0.5)).toBe(0.5);
  expect(errorIn(-0, 0, 0)).toBe(0);
  expect(errorIn(NaN, 1, 0)).toBe(Infinity);
  expect(errorIn(Infinity, Number.MAX_VALUE, 0.5)).toBe(Infinity);
});

test.each(calls)("%s: the vectors detect an error of one ulp", (name, call) => {
  const vectors = readVectors(name);
  const off: Call = (...args) => {
    const result = call(...args);
    return result + Math.abs(result) * 2 ** -52 + (Math.abs(result) < 1e-300 ? Number.MIN_VALUE : 0);
  };
  expect(worstOf(off, vectors).error).toBeGreaterThan(1);
});
