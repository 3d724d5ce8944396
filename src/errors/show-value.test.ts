import { describe, expect, test } from "vitest";
import { showBytes } from "./show-value.js";
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

describe("a long value in an error is shortened to sixty characters", () => {
  test.each([
    ["a text", "ab".repeat(40), `"${"ab".repeat(30)}…"`],
    ["an object", { name: "x".repeat(80) }, `{"name":"${"x".repeat(51)}…`],
    [
      "a list",
      Array.from({ length: 40 }, (_, i) => 1000 + i),
      `[${"1000,1001,1002,1003,1004,1005,1006,1007,1008,1009,1010,1011"}…`,
    ],
    ["a short text", "short", '"short"'],
    ["sixty characters", "y".repeat(60), `"${"y".repeat(60)}"`],
    ["a text that would be cut within a surrogate pair", `${"z".repeat(59)}😀`, `"${"z".repeat(59)}…"`],
  ])("%s", (_, value, shown) => {
    expect(messageOf(value)).toBe(`call: part must be right, got ${shown}. Try another.`);
  });
});

test("bytes as ASCII text, or in hexadecimal", () => {
  const texts = ["TWRP", "\n\t{", "é", ""].map((text) => showBytes(new TextEncoder().encode(text)));
  expect(texts).toEqual(['"TWRP"', '"\\n\\t{"', "the bytes c3 a9", '""']);
});
