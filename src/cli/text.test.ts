import { expect, test } from "vitest";
import { guard } from "../sim/index.js";
import { axis, button, fraction, int } from "../input/index.js";
import { bytesText, fieldText, plain, restOf, secondsText, thrownText, valueText } from "./text.js";

test("times", () => {
  expect([0, 0.004, 1.5, 59.999, 60, 3725.25].map(secondsText)).toEqual([
    "0.00 s",
    "0.00 s",
    "1.50 s",
    "1 min 0.00 s",
    "1 min 0.00 s",
    "62 min 5.25 s",
  ]);
});

test("what inputs are, and are at rest", () => {
  const fields = [button, axis(8), int(1, 5), int(-3, 3), fraction(4)];
  expect(fields.map((field) => fieldText("x", field))).toEqual([
    "x",
    "x (axis of 8 bits)",
    "x (1 to 5)",
    "x (-3 to 3)",
    "x (fraction of 4 bits)",
  ]);
  expect(fields.map(restOf)).toEqual([false, 0, 1, -3, 0]);
});

test("values of an axis are short, and each has its own text", () => {
  for (const bits of [2, 8, 16]) {
    const field = axis(bits);
    const texts = Array.from({ length: 2 * field.base + 1 }, (_, i) =>
      valueText((i - field.base) / field.base, field),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(9);
  }
});

test("bytes as a text, or in their order", () => {
  const texts = ["TWRP", "\n\t{", "é", ""].map((text) => bytesText(new TextEncoder().encode(text)));
  expect(texts).toEqual(['"TWRP"', '"\\n\\t{"', "the bytes c3 a9", '""']);
});

test.each([
  [
    "readReplay: bytes 4 to 7 must be a version up to 1, got 9. Try a newer tickwise.",
    "bytes 4 to 7 must be a version up to 1, got 9. Try a newer tickwise.",
  ],
  [
    "verify: crates comes out otherwise. On the way to state 300: State.loadBytes: bytes must be 9, got 8. Try what State.bytes() gave, with the same layout.",
    "crates comes out otherwise. On the way to state 300: bytes must be 9, got 8. Try the file as it was recorded, whole.",
  ],
  [
    'replayPlayer: replay must be one whose first state can be loaded, got "Session.load: bytes 4". Try what a recorder gave, whole.',
    'replay must be one whose first state can be loaded, got "bytes 4". Try the file as it was recorded, whole.',
  ],
  [
    "verify: the builds of crates differ: one of them is not deterministic. Try syncTest.",
    "the builds of crates differ: one of them is not deterministic. Try tickwise synctest.",
  ],
  // A field may be called so.
  ["syncTest: it differs.\nverify: 0 ≠ 1", "it differs.\nverify: 0 ≠ 1"],
  ["byte 8: there is no verify", "byte 8: there is no verify"],
])("%s", (said, told) => expect(plain(said)).toBe(told));

test("what a guard says names the option, and what else is thrown stays", () => {
  const guarded = guard();
  const thrownBy = (act: () => void) => {
    guarded.enter();
    try {
      return act();
    } catch (error) {
      return error;
    } finally {
      guarded.leave();
    }
  };
  expect(thrownText(thrownBy(() => Math.random()))).toMatch(
    /^Error: Math\.random must not be called: .* the risk: --allow Math\.random\.$/,
  );
  // As a shell takes it.
  expect(thrownText(thrownBy(() => new Date()))).toMatch(/ the risk: --allow "new Date\(\)"\.$/);
  expect(thrownText(new RangeError("step: no"))).toBe("RangeError: step: no");
});

test.each([
  ["a text", "boom", "boom"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a symbol", Symbol("s"), "Symbol(s)"],
  ["an object", { code: 5 }, '{"code":5}'],
  ["an object without a prototype", Object.create(null), "an object that cannot be shown"],
  [
    "an object whose conversion throws",
    {
      toString() {
        throw new Error("again");
      },
    },
    "an object that cannot be shown",
  ],
])("%s that a step threw has a text", (_, thrown: unknown, text) => expect(thrownText(thrown)).toBe(text));
