import { describe, expect, test } from "vitest";
import { shortened, showBytes } from "./show-value.js";
import { badValue } from "./tickwise-error.js";

const messageOf = (value: unknown): string => {
  try {
    return badValue("call: part", "right", value, "another");
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a value in an error", () => {
  test.each([
    ["a class instance is shown by its type", new Map(), "a Map"],
    ["a buffer by its type", new ArrayBuffer(8), "an ArrayBuffer"],
    ["a typed array by its type", new Uint8Array(8), "a Uint8Array"],
    ["an array of typed arrays by its length", [new Uint8Array(8), new Uint8Array(8)], "an array of 2"],
    ["an array of plain values by its items", ["a", 1, null, { x: 1 }], '["a",1,null,{"x":1}]'],
    ["an object without a prototype by its fields", Object.create(null), "{}"],
    ["null", null, "null"],
  ])("%s", (_, value, shown) => {
    expect(messageOf(value)).toBe(`call: part must be right, got ${shown}. Try another.`);
  });

  test("a promise asks for await, instead of a fix", () => {
    expect(messageOf(Promise.resolve())).toBe(
      "call: part must be right, got a Promise, did you forget `await`?",
    );
  });
});

describe("a long value in an error ends at a word boundary", () => {
  test.each([
    [
      "a text",
      "it was on a dark and stormy night that the rain fell in torrents, but at intervals",
      '"it was on a dark and stormy night that the rain fell in…"',
    ],
    ["a text whose next word would just fit", `${"ab ".repeat(19)}abc end`, `"${"ab ".repeat(19)}abc…"`],
    [
      "an object",
      { name: "a name that is rather long", other: "another name that is longer still" },
      '{"name":"a name that is rather long","other":"another name…',
    ],
    [
      "a list",
      Array.from({ length: 40 }, (_, i) => 1000 + i),
      `[${Array.from({ length: 12 }, (_, i) => 1000 + i).join(",")}…`,
    ],
    ["one long word", "x".repeat(100), `"${"x".repeat(60)}…"`],
    ["a short text", "short", '"short"'],
    ["sixty characters", "y".repeat(60), `"${"y".repeat(60)}"`],
    ["letters of other languages", `${"größe ".repeat(12)}`, `"${"größe ".repeat(9)}größe…"`],
  ])("%s", (_, value, shown) => {
    expect(messageOf(value)).toBe(`call: part must be right, got ${shown}. Try another.`);
  });

  test("shortens any text to at most `max` characters, between words", () => {
    const words = "one two-three four_five, six.seven (eight) nine/ten eleven".repeat(3);
    for (let max = 8; max < words.length; max++) {
      const text = shortened(words, max);
      expect(text.length).toBeLessThanOrEqual(max + 1);
      expect(text.endsWith("…")).toBe(true);
      const kept = text.slice(0, -1);
      expect(words.startsWith(kept)).toBe(true);
      expect(`${kept.at(-1)}${words[kept.length]}`).not.toMatch(/^\w\w$/);
    }
  });
});

test("bytes as ASCII text, or in hexadecimal", () => {
  const texts = ["TWRP", "\n\t{", "é", ""].map((text) => showBytes(new TextEncoder().encode(text)));
  expect(texts).toEqual(['"TWRP"', '"\\n\\t{"', "the bytes c3 a9", '""']);
});
