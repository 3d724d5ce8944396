// The same cases by oxlint, which loads the built package by its name; and what it says of simulations of our own.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { cases } from "./cases.js";

// Not in the repository, where git would have it ignored.
const FOLDER = mkdtempSync(join(tmpdir(), "tickwise-lint-"));
const SIM = join(FOLDER, "sim");

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly filename: string;
  readonly labels: readonly [{ readonly span: { readonly line: number; readonly column: number } }];
}

/** Findings by file, as `rule line:column message`. */
let said: Map<string, string[]>;

/** The configuration as the docs have it. */
function documentedConfig(): string {
  const docs = readFileSync(join(ROOT, "docs/determinism.md"), "utf8");
  return /```json\n(\{[^]*?"jsPlugins"[^]*?)```/.exec(docs)![1]!;
}

beforeAll(() => {
  mkdirSync(SIM);
  for (const part of ["package.json", "dist"])
    cpSync(join(ROOT, part), join(FOLDER, "node_modules/tickwise", part), { recursive: true });
  writeFileSync(join(FOLDER, ".oxlintrc.json"), documentedConfig());
  for (const [i, { code, typescript }] of cases.entries())
    writeFileSync(join(SIM, `case-${i}.${typescript ? "ts" : "js"}`), code);
  writeFileSync(join(FOLDER, "view.js"), "export const a = Math.sin(1);");
  cpSync(join(ROOT, "scenes"), join(SIM, "scenes"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "examples"), { withFileTypes: true }))
    if (name.isDirectory() && name.name !== "node_modules")
      cpSync(join(ROOT, "examples", name.name), join(SIM, "examples", name.name), { recursive: true });

  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const args = ["--format=json"];
  const { stdout, stderr } = spawnSync(oxlint, args, {
    cwd: FOLDER,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (stderr) throw new Error(stderr);
  said = new Map();
  for (const { code, message, filename, labels } of (JSON.parse(stdout) as { diagnostics: Finding[] })
    .diagnostics) {
    const rule = /^tickwise\((.*)\)$/.exec(code)?.[1];
    if (!rule) continue;
    const { line, column } = labels[0].span;
    said.set(filename, [...(said.get(filename) ?? []), `${rule} ${line}:${column} ${message}`]);
  }
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe("oxlint says the same as ESLint", () => {
  test.each(cases.map((one, i) => ({ ...one, i })))("$rule: $code", ({ rule, expected, typescript, i }) => {
    const all = said.get(`sim/case-${i}.${typescript ? "ts" : "js"}`) ?? [];
    const own = all.filter((text) => text.startsWith(`${rule} `)).map((text) => text.slice(rule.length + 1));
    expect(own.sort()).toEqual([...expected].sort());
  });
});

test("files that are not marked as simulation are left alone", () => {
  expect(said.get("view.js")).toBeUndefined();
});

const repeat = (rule: string, count: number) => Array.from({ length: count }, () => rule);

/** What they say of our own scenes and examples that is no fault: what is not stepped lies in the same files. */
const EXPLAINED = {
  // A display and how it is judged: no simulation.
  "scenes/changing-displays.ts": [...repeat("no-inexact-math", 5), ...repeat("no-power", 5)],
  "scenes/display.ts": ["no-inexact-math", "no-inexact-math", "no-inexact-math", "no-power"],
  "scenes/score.ts": ["no-power"],
  // Where the spring truly is, to compare with; the angle between two turns, to be shown.
  "scenes/spring.ts": ["no-inexact-math", "no-inexact-math", "no-inexact-math"],
  "scenes/tumble.ts": ["no-inexact-math", "no-inexact-math"],
  // What sets up the page waits for its engine; what is drawn may use any sine.
  "examples/excalibur/main.ts": ["no-async"],
  "examples/pixi/main.ts": ["no-async"],
  "examples/rapier/main.ts": ["no-inexact-math", "no-inexact-math"],
};

test("the steps of our own scenes and examples are clean", () => {
  const own = [...said].filter(([file]) => /^sim\/(scenes|examples)\//.test(file));
  const rules = own.map(([file, texts]) => [file.slice(4), texts.map((text) => text.split(" ")[0]).sort()]);
  expect(Object.fromEntries(rules)).toEqual(EXPLAINED);
});
