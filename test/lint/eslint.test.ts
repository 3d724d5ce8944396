import { Linter } from "eslint";
import { defineConfig } from "eslint/config";
import { describe, expect, test } from "vitest";
import plugin, { simulationConfig } from "../../src/lint/index.js";
import { cases } from "./cases.js";

// The types must fit those of ESLint, which the rules do not import.
const config = defineConfig(simulationConfig, { ...simulationConfig, files: ["world/**/*.js"] });

const linter = new Linter();
const lint = (code: string, filename = "sim/step.js") => linter.verify(code, config, { filename });

describe.each(Object.keys(plugin.rules))("%s", (rule) => {
  const own = cases.filter((one) => one.rule === rule && !one.typescript);

  test.each(own)("$code", ({ code, expected }) => {
    const findings = lint(code).map(({ ruleId, line, column, message }) => [
      ruleId,
      `${line}:${column} ${message}`,
    ]);
    expect(findings.filter(([id]) => id === null)).toEqual([]);
    expect(findings.filter(([id]) => id === `tickwise/${rule}`).map(([, text]) => text)).toEqual(expected);
  });

  test("has cases with and without findings", () => {
    expect(own.some(({ expected }) => expected.length > 0)).toBe(true);
    expect(own.some(({ expected }) => expected.length === 0)).toBe(true);
  });
});

test("the configuration has all rules, and applies to its files only", () => {
  expect(Object.keys(simulationConfig.rules)).toEqual(
    Object.keys(plugin.rules).map((name) => `tickwise/${name}`),
  );
  const code = "export const a = Math.sin(1);";
  expect(lint(code, "game/sim/deep/step.js").map(({ ruleId }) => ruleId)).toEqual([
    "tickwise/no-inexact-math",
  ]);
  expect(lint(code, "world/step.js").map(({ ruleId }) => ruleId)).toEqual(["tickwise/no-inexact-math"]);
  expect(lint(code, "view/draw.js").map(({ ruleId }) => ruleId)).not.toContain("tickwise/no-inexact-math");
});

test("reports files that cannot be parsed, and ignores files without code", () => {
  const config = linter.verify("export let a: number;", simulationConfig, { filename: "sim/step.ts" });
  expect(config.map(({ message }) => message)).toEqual(["Parsing error: Unexpected token :"]);
  expect(linter.verify("{}", simulationConfig, { filename: "sim/level.json" })[0]?.message).toMatch(
    /^No matching configuration found/,
  );
});

describe("suggestions", () => {
  /** Applies the first suggestion of the first finding. */
  const suggested = (code: string): string | undefined => {
    const fix = lint(code)[0]?.suggestions?.[0]?.fix;
    return fix && code.slice(0, fix.range[0]) + fix.text + code.slice(fix.range[1]);
  };

  test.each([
    [
      "// Comment\nexport const a = Math.sin(1);",
      '// Comment\nimport { sin } from "tickwise/math";\nexport const a = sin(1);',
    ],
    [
      'import { sin } from "tickwise/math";\nexport const a = sin(Math.sin(1));',
      'import { sin } from "tickwise/math";\nexport const a = sin(sin(1));',
    ],
    [
      "export const a = Math.hypot(1, 2, 3);",
      'import { hypot } from "tickwise/math";\nexport const a = hypot(1, 2, 3);',
    ],
    ["export const f = (x) => 1 - x ** 2;", "export const f = (x) => 1 - x * x;"],
    ["export const f = (x) => 1 / x ** 3;", "export const f = (x) => 1 / (x * x * x);"],
    ["export const f = (x) => -(x ** 2);", "export const f = (x) => -((x * x));"],
  ])("%s", (code, fixed) => {
    expect(suggested(code)).toBe(fixed);
    expect(lint(fixed)).toEqual([]);
  });

  test("none in a script, which cannot import", () => {
    const [finding] = lint("exports.a = Math.sin(1);", "sim/step.cjs");
    expect(finding).toMatchObject({ ruleId: "tickwise/no-inexact-math" });
    expect(finding!.suggestions ?? []).toEqual([]);
  });

  test.each([
    // The name is taken, the function is not called, or tickwise/math does not support the arguments.
    "const sin = 1;\nexport const a = Math.sin(sin);",
    "export const f = (sin) => Math.sin(sin);",
    'import { sin } from "tickwise/math";\nexport const f = (sin) => Math.sin(sin);',
    "export const f = Math.sin;",
    "export const a = Math.hypot(1, 2, 3, 4);",
    "export const f = (all) => Math.hypot(...all);",
    // Evaluating it twice would repeat its side effects.
    "export const f = (g) => g() ** 2;",
    "export const f = (x) => x ** 0.5;",
  ])("none for %s", (code) => {
    expect(lint(code)).toHaveLength(1);
    expect(suggested(code)).toBeUndefined();
  });
});
