// Runs the same cases with oxlint, which loads the built package by name, and lints our own simulations.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { cases } from "./cases.js";

// Outside the repository, where .gitignore would hide it.
const FOLDER = mkdtempSync(join(tmpdir(), "tickwise-lint-"));
const SIM = join(FOLDER, "sim");

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly filename: string;
  readonly labels: readonly [{ readonly span: { readonly line: number; readonly column: number } }];
}

/** Findings by file, as `rule line:column message`. */
let findings: Map<string, string[]>;

/** The configuration from the docs. */
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
  findings = new Map();
  for (const { code, message, filename, labels } of (JSON.parse(stdout) as { diagnostics: Finding[] })
    .diagnostics) {
    const rule = /^tickwise\((.*)\)$/.exec(code)?.[1];
    if (!rule) continue;
    const { line, column } = labels[0].span;
    findings.set(filename, [...(findings.get(filename) ?? []), `${rule} ${line}:${column} ${message}`]);
  }
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe("oxlint reports the same as ESLint", () => {
  test.each(cases.map((one, i) => ({ ...one, i })))("$rule: $code", ({ rule, expected, typescript, i }) => {
    const all = findings.get(`sim/case-${i}.${typescript ? "ts" : "js"}`) ?? [];
    const own = all.filter((text) => text.startsWith(`${rule} `)).map((text) => text.slice(rule.length + 1));
    expect(own.sort()).toEqual([...expected].sort());
  });
});

test("does not report files outside the simulation", () => {
  expect(findings.get("view.js")).toBeUndefined();
});

const repeat = (rule: string, count: number) => Array.from({ length: count }, () => rule);

/** Expected findings in our scenes and examples, in code that is not part of a step. */
const EXPECTED = {
  // Simulated displays and their evaluation.
  "scenes/changing-displays.ts": [...repeat("no-inexact-math", 5), ...repeat("no-power", 5)],
  "scenes/display.ts": ["no-inexact-math", "no-inexact-math", "no-inexact-math", "no-power"],
  "scenes/score.ts": ["no-power"],
  // A simulated worker: it tells when its clock starts.
  "scenes/virtual-worker.ts": ["no-clock"],
  "scenes/free-displays.ts": ["no-inexact-math", "no-inexact-math"],
  // The evaluation of a stack: how far apart its boxes are.
  "scenes/box-stack.ts": ["no-power", "no-power"],
  // The exact solution of the spring, for comparison; the angle between two rotations, for display.
  "scenes/spring.ts": ["no-inexact-math", "no-inexact-math", "no-inexact-math"],
  "scenes/tumble.ts": ["no-inexact-math", "no-inexact-math"],
  // Programs around a game: a bot that joins, a server of scores.
  "examples/deploy/bot.mjs": repeat("no-timers", 4),
  "examples/leaderboard/server.mjs": ["no-async", "no-async"],
  // Setup that awaits an engine, and drawing.
  "examples/excalibur/main.ts": ["no-async"],
  "examples/pixi/main.ts": ["no-async"],
  "examples/rapier/main.ts": ["no-inexact-math", "no-inexact-math"],
  "examples/viewer/view.mjs": ["no-inexact-math"],
  // It measures the frames of a page.
  "examples/thread/frame-meter.ts": ["no-clock", "no-clock"],
  "examples/engines/havok.ts": ["no-async"],
  // Engines that hand over the time of a frame; a synthesised sound.
  "examples/fiber/main.tsx": ["no-clock"],
  "examples/phaser_driver/main.ts": ["no-clock"],
  "examples/howler/thud.ts": ["no-inexact-math", "no-inexact-math", "no-inexact-math"],
};

test("the steps of our own scenes and examples are clean", () => {
  const own = [...findings].filter(([file]) => /^sim\/(scenes|examples)\//.test(file));
  const rules = own.map(([file, texts]) => [file.slice(4), texts.map((text) => text.split(" ")[0]).sort()]);
  expect(Object.fromEntries(rules)).toEqual(EXPECTED);
});
