import { expect, test } from "vitest";
import { functionsOf, type Call } from "../../test/math/functions.js";
import { statedErrors } from "../../test/math/stated.js";
import { errorAtWorst } from "../../test/math/worst.js";
import { errorIn, readVectors, worstOf } from "../../test/math/vectors.mjs";
import * as math from "./index.js";

const functions = functionsOf(math);
const calls = Object.entries(functions);
const stated = statedErrors();

test("every function states its error, and none more than 1 ulp", () => {
  expect(Object.keys(stated).sort()).toEqual(Object.keys(functions).sort());
  for (const [name, error] of Object.entries(stated)) expect(error, name).toBeLessThanOrEqual(1);
});

test.each(calls)("%s errs by no more than it states, wherever it hurts", (name, call) => {
  const vectors = readVectors(name);
  expect(vectors.count).toBeGreaterThanOrEqual(2500);
  const { error, at } = worstOf(call, vectors);
  // The vectors are right to 1/500 ulp.
  expect(error, `${name}(${at})`).toBeLessThan(stated[name]! + 0.002);
});

test.each(calls)("%s errs by no more than it states at the worst that a search has found", (name, call) => {
  const error = errorAtWorst(name, call);
  expect(error).toBeLessThan(stated[name]!);
  // A bound that nothing comes near says nothing.
  expect(error).toBeGreaterThan(stated[name]! - 0.12);
});

test("an error of one more ulp is seen, in each binade and below the normal numbers", () => {
  expect(errorIn(1, 1, 0)).toBe(0);
  expect(errorIn(1 + 2 ** -52, 1, 0.25)).toBe(0.75);
  // Below a power of two, doubles lie twice as close.
  expect(errorIn(1 - 2 ** -53, 1, -0.25)).toBe(0.75);
  expect(errorIn(2 * Number.MIN_VALUE, Number.MIN_VALUE, 0.5)).toBe(0.5);
  expect(errorIn(-0, 0, 0)).toBe(0);
  expect(errorIn(NaN, 1, 0)).toBe(Infinity);
  expect(errorIn(Infinity, Number.MAX_VALUE, 0.5)).toBe(Infinity);
});

test.each(calls)("%s: the vectors would tell an error of one ulp", (name, call) => {
  const vectors = readVectors(name);
  const off: Call = (...args) => {
    const result = call(...args);
    return result + Math.abs(result) * 2 ** -52 + (Math.abs(result) < 1e-300 ? Number.MIN_VALUE : 0);
  };
  expect(worstOf(off, vectors).error).toBeGreaterThan(1);
});
