// "Engines" without a page: computes the same digests as the engine tests.
import { expect, test } from "vitest";
import { Comparison } from "../../lab/src/engines/comparison.js";
import { GROUPS, MATH_NAMES } from "../../lab/src/engines/groups.js";
import { SETTINGS } from "../../lab/src/engines/settings.js";
import golden from "../engines/golden.json" with { type: "json" };
import { answer } from "../engines/script.js";
import { argumentsAt } from "../engines/arguments.js";
import * as math from "../../src/math/index.js";

const recorded: Record<string, Record<string, string>> = golden;
const never = () => false;

test("digests equal the golden ones, and those of the engine tests' script", () => {
  const model = new Comparison(1000);
  model.advance(never);
  expect(model.isDone).toBe(true);
  expect(model.rows.map(({ name }) => name)).toEqual(Object.keys(golden));
  for (const { name, digest, isSame } of model.rows) {
    expect(digest, name).toBe(recorded[name]!["1000"]);
    expect(digest, name).toBe(answer({ subject: name, count: 1000 })[0]);
    expect(isSame, name).toBe(true);
  }
});

test("every selectable count has a recorded digest for every subject", () => {
  for (const count of Object.keys(SETTINGS.count.choices))
    for (const row of new Comparison(Number(count)).rows)
      expect(row.recorded, row.name).toMatch(/^[\da-f]{16}$/);
});

test("stops when asked, and continues where it stopped", () => {
  const whole = new Comparison(1000);
  whole.advance(never);
  const model = new Comparison(1000);
  let calls = 0;
  while (model.advance(() => true)) calls++;
  expect(calls).toBeGreaterThan(model.rows.length);
  expect(model.rows.map(({ digest, differing }) => [digest, differing])).toEqual(
    whole.rows.map(({ digest, differing }) => [digest, differing]),
  );
});

test("counts differing bits: 0 and -0 differ, all NaNs are equal", () => {
  const model = new Comparison(1000);
  model.advance(never);
  const rows = new Map(model.rows.map((row) => [row.name, row]));
  expect(MATH_NAMES.length).toBe(22);
  for (const name of MATH_NAMES) {
    const [ours, theirs] = [math, Math].map(
      (from) => (from as unknown as Record<string, (...args: number[]) => number>)[name]!,
    );
    let differing = 0;
    for (let i = 0; i < 1000; i++) {
      const args = argumentsAt(name, i);
      if (!Object.is(ours!(...args), theirs!(...args))) differing++;
    }
    expect(rows.get(name)!.differing, name).toBe(differing);
  }
  expect(rows.get("sinTurns")!.differing).toBe(undefined);
});

test("every subject is in exactly one group", () => {
  const names = GROUPS.flatMap((group) => group.names);
  expect([...names].sort()).toEqual(Object.keys(golden).sort());
});
