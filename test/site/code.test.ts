// The code of the chapters and of the start page compiles, as visitors copy it, with the names that users have already.
import { beforeAll, describe, expect, test } from "vitest";
import { LINES } from "../../site/pages/start.js";
import { CHAPTER_TEXTS } from "../../site/src/chapters/texts.js";
import { wholeCode } from "../../site/src/figure/chapter.js";
import { compilerOf } from "../docs/compile.js";
import { NAMES } from "./chapter-names.js";

const SIDES = ["broken", "fixed"] as const;

const withNames = (code: string, ...names: readonly string[]) =>
  [...names.map((name) => NAMES[name] ?? ""), code].join("\n");

describe("the code of the chapters", () => {
  let complaints = "";
  let complaintsOfAWrongOne = "";

  beforeAll(async () => {
    const files = new Map([["start.ts", withNames(LINES, "start")]]);
    for (const text of CHAPTER_TEXTS)
      for (const side of SIDES)
        files.set(`${text.id}-${side}.ts`, withNames(wholeCode(text, side), text.id, `${text.id} ${side}`));
    complaints = await compilerOf("chapters", files).compile("--noEmit");
    const wrong = files.get("speed-fixed.ts")!.replace("rate: 60", "rates: 60");
    complaintsOfAWrongOne = await compilerOf("wrong-chapter", new Map([["wrong.ts", wrong]])).compile(
      "--noEmit",
    );
  });

  test("compiles", () => {
    expect(complaints).toBe("");
  });

  test("would not compile with a wrong option", () => {
    expect(complaintsOfAWrongOne).toContain("rates");
  });
});

test.each(CHAPTER_TEXTS.flatMap((text) => SIDES.map((side) => [`${text.id} ${side}`, text.code[side]])))(
  "%s has 5 to 10 lines",
  (_, code) => {
    const lines = code!.split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(5);
    expect(lines.length).toBeLessThanOrEqual(10);
  },
);
