import { expect, test } from "vitest";
import { digestOf } from "../../test/math/digest.js";
import { functionsOf, type Call } from "../../test/math/functions.js";
import { USUAL_ARGUMENTS } from "../../test/math/usual-arguments.js";
import * as math from "./index.js";

const COUNT = 20_000;
/** Profile 1. If a digest changes, increment the profile, as old replays would diverge. */
const GOLDEN: Record<string, string> = {
  acos: "8ca0f9653141cbba",
  acosh: "71724f23a9693867",
  asin: "d7015178082e9d71",
  asinh: "ff197ae6aba9f6c7",
  atan: "df00a17c8372b259",
  atan2: "29ae0d736a3746b6",
  atanh: "88f020c96c20335d",
  cbrt: "dbe623c11a1ebeb0",
  cos: "f65c34d09fedc463",
  cosDegrees: "04ba62477f7353c1",
  cosTurns: "df0daa1c24a7c378",
  cosh: "297c885312100e06",
  exp: "7d3ef7bcfbb2acaf",
  expm1: "58e62f932dbfbd7b",
  hypot: "af191314267786c5",
  log: "f90f26e1ca212777",
  log10: "57d9d67963b54411",
  log1p: "8a75180749661716",
  log2: "790fd793f9261681",
  pow: "211832f0fc5a60de",
  sin: "5d88f2cb22cdeaec",
  sinDegrees: "3a8310577c34a4bb",
  sinTurns: "3c9b5215a5d1d5e2",
  sinh: "323214402d530cd6",
  tan: "9749e6abf8ae8792",
  tanh: "38b949efedf767b5",
  toDegrees: "f5c0aa013a9c2d9e",
  toRadians: "759a4c3ca9d51549",
};

const functions = functionsOf(math);
const calls = Object.entries(functions);

test("the functions have the golden digests of their profile", () => {
  expect(math.PROFILE).toBe(1);
  expect(Object.keys(USUAL_ARGUMENTS)).toEqual(Object.keys(functions).sort());
  const digests = Object.fromEntries(calls.map(([name, call]) => [name, digestOf(name, call, COUNT)]));
  expect(digests).toEqual(GOLDEN);
});

test("a digest changes with a single bit of a single result", () => {
  let left = COUNT / 2;
  const off: Call = (x) => {
    const result = math.sin(x!);
    return --left === 0 ? result * (1 + 2 ** -52) : result;
  };
  expect(digestOf("sin", off, COUNT)).not.toBe(GOLDEN["sin"]);
});
