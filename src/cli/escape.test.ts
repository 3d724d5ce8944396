import fc from "fast-check";
import { expect, test } from "vitest";
import { escaped, escapedJson, escapedLines } from "./escape.js";

test.each([
  ["plain text, ünïcödé, 漢字, 👩‍🚀", "plain text, ünïcödé, 漢字, 👩‍🚀"],
  ["\x1b[31mred", "\\x1b[31mred"],
  ["a\nb\r\tc\0", "a\\nb\\r\\tc\\x00"],
  ["\x7f\x85\x9b", "\\x7f\\x85\\x9b"],
  ["\u202eabc\u2066\u200f\u061c\ufeff", "\\u202eabc\\u2066\\u200f\\u061c\\ufeff"],
  ["\u2028\u2029", "\\u2028\\u2029"],
  ["\u{e0041}", "\\u{e0041}"],
  ["half \ud83d", "half \\ud83d"],
])("%j is shown as %j", (text, shown) => {
  expect(escaped(text)).toBe(shown);
});

test("escapedLines keeps line breaks and tabs", () => {
  expect(escapedLines("a\n\tb\r\n\x1b")).toBe("a\n\tb\\r\n\\x1b");
});

test("no text contains control codes after escaping, and JSON keeps its value", () => {
  const texts = fc.string({ unit: "binary" });
  const anything = fc.oneof(
    texts,
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  );
  const unsafe = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u;
  fc.assert(
    fc.property(anything, (text) => {
      expect(escaped(text)).not.toMatch(unsafe);
      expect(escapedLines(text).replace(/[\n\t]/g, "")).not.toMatch(unsafe);
      const json = escapedJson(JSON.stringify({ [text]: text }));
      expect(json).not.toMatch(unsafe);
      expect(JSON.parse(json)).toEqual({ [text]: text });
    }),
    { numRuns: 1000 },
  );
});
