import { inspect as nodeInspect } from "node:util";
import { expect, test } from "vitest";
import { inspect } from "../../site/src/docs/inspect.js";

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}

const VALUES: readonly unknown[] = [
  [0, -0, 1.5, NaN, Infinity, 10n, true, null, undefined],
  ["a", "it's", 'it\'s "b"', "line\nbreak"],
  [],
  {},
  { a: 1, "b-c": "d", e: { f: [1, 2, { g: { h: 1 } }] } },
  new Point(1, 2),
  { longNameOfAField: "a longer text", anotherLongName: "another text", third: [1, 2, 3] },
  Array.from({ length: 7 }, (_, i) => i),
  Array.from({ length: 30 }, (_, i) => i * i),
  Array.from({ length: 120 }, (_, i) => i),
  Array.from({ length: 9 }, (_, i) => "x".repeat(i + 1)),
  Array.from({ length: 8 }, (_, i) => ({ name: `number ${i}`, place: new Point(i, i) })),
  new Float64Array([0.1, 0.2]),
  new Uint8Array(16),
  new Set([1, "a"]),
  new Map<unknown, unknown>([["a", { b: 1 }]]),
  Point,
  () => 1,
  Object.create(null),
];

test.each(VALUES.map((value) => [nodeInspect(value)?.slice(0, 60), value] as const))(
  "prints %s as Node does",
  (_, value) => {
    expect(inspect(value)).toBe(nodeInspect(value));
  },
);
