import { expect, test } from "vitest";
import { jobIdOf } from "./job.js";
import { verdictOf, verdictText, type Verdict } from "./verdict.js";

test("numbers that JSON does not have survive", () => {
  const verdict: Verdict = {
    outcome: "differs",
    message: "state 5 differs",
    tick: 5,
    differences: [NaN, Infinity, -Infinity, -0, 0.1].map((a) => ({ path: "x", a, b: 0 })),
  };
  expect(verdictOf(verdictText(verdict))).toEqual(verdict);
});

test("the id depends on the bytes and on the guard, and on nothing else", () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const ids = [
    jobIdOf(bytes, undefined),
    jobIdOf(bytes, {}),
    jobIdOf(bytes, { allow: ["Math.random"] }),
    jobIdOf(Uint8Array.of(1, 2, 4), undefined),
  ];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^r[0-9a-f]{64}$/);
  const inside = Uint8Array.of(0, 1, 2, 3, 0).subarray(1, 4);
  expect(jobIdOf(inside, undefined)).toBe(ids[0]);
  const [one, other] = ["Date.now", "Math.random"];
  expect(jobIdOf(bytes, { allow: [one!, other!, one!] })).toBe(jobIdOf(bytes, { allow: [other!, one!] }));
});
