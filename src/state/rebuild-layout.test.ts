import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOfLayout, rowsOfLayout } from "./describe-layout.js";
import {
  bool,
  f32,
  f64,
  i16,
  i32,
  i8,
  id,
  layout,
  list,
  oneOf,
  quat,
  table,
  u16,
  u32,
  u8,
  vec2,
  vec3,
} from "./index.js";
import type { Fields } from "./index.js";
import { fieldsFrom } from "./rebuild-layout.js";

const field = fc.constantFrom(
  f64.lerp,
  f32,
  i32,
  u32,
  i16,
  u16,
  i8,
  u8,
  bool,
  id,
  vec2,
  vec3.lerp,
  quat.slerp,
  oneOf("idle", "run"),
  oneOf("children", "rows (all)", "list(2) × 3"),
);
const count = fc.integer({ min: 1, max: 9 });
const name = fc.constantFrom("a", "b", "c", "d", "children", "rows");
const named = <T>(part: fc.Arbitrary<T>) =>
  fc.dictionary(name, part, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
const columns = fc.letrec((tie) => ({
  row: named(
    fc.oneof(
      { maxDepth: 2 },
      field,
      fc.tuple(count, field).map(([n, of]) => list(n, of)),
      tie("row"),
    ),
  ),
})).row;
const state = fc.letrec((tie) => ({
  group: named(
    fc.oneof(
      { maxDepth: 3 },
      field,
      fc.tuple(count, field).map(([n, of]) => list(n, of)),
      fc.tuple(count, columns).map(([n, of]) => table(n, of as never)),
      fc.tuple(count, columns).map(([n, of]) => list(n, of as never)),
      tie("group"),
    ),
  ),
})).group as fc.Arbitrary<Fields>;

test("rebuilds a layout from its description, with the same fingerprint", () => {
  fc.assert(
    fc.property(state, (fields) => {
      const declared = layout(fields);
      const description = JSON.stringify([fieldsOfLayout(declared), rowsOfLayout(declared)]);
      const [names, rows] = JSON.parse(description) as Parameters<typeof fieldsFrom>;
      expect(layout(fieldsFrom(names, rows)!).fingerprint).toBe(declared.fingerprint);
    }),
  );
});

test("returns undefined for a malformed description", () => {
  expect(fieldsFrom([["x", "f63"]], [])).toBeUndefined();
  expect(fieldsFrom([["x", "toString"]], [])).toBeUndefined();
  const nested = [
    ["x", "f64"],
    ["x.y", "f64"],
  ] as const;
  expect(fieldsFrom(nested, [])).toBeUndefined();
});
