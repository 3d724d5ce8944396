// Every file and command that CONTRIBUTING.md names must exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Created by a build or an install, so missing in a fresh clone. */
const GENERATED = /^(dist|lab\/dist|\.cache)\//;
const EXTENSION = /\.(json|m?js|md|py|ts|wat|ya?ml)$/;

/** Returns code spans, and fenced blocks without their comments. */
const codeIn = (text: string) => [
  ...[...text.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block]) => block!.replace(/#.*$/gm, "")),
  ...[...text.replace(/^```[^]*?^```$/gm, "").matchAll(/`([^`]+)`/g)].map(([, span]) => span!),
];

/** Returns the paths in a text: words of code with a slash or a known extension, and pages named in prose. */
function pathsIn(text: string): string[] {
  const words = [...codeIn(text).join(" ").split(/\s+/), ...(text.match(/\b[A-Z]+\.md\b/g) ?? [])];
  const isPath = (word: string) => /^[\w./-]+$/.test(word) && (word.includes("/") || EXTENSION.test(word));
  return [...new Set(words.filter((word) => isPath(word) && /[a-z]/i.test(word)))];
}

/** Whether it is a path from the root, a file in a folder named on the same line, or a subpath of the package. */
function exists(path: string, line: string): boolean {
  if (GENERATED.test(`${path}/`)) return true;
  if (path.startsWith("tickwise/")) return path.replace("tickwise", ".") in manifest.exports;
  const folders = pathsIn(line).filter((each) => each.endsWith("/"));
  return ["", ...folders].some((folder) => existsSync(join(ROOT, folder, path)));
}

/** Returns the paths in a text that do not exist. */
const missingIn = (text: string) =>
  text
    // Fenced blocks and list items are looked at as a whole.
    .split(/\n(?=\n|\d\. |- )/)
    .flatMap((part) => pathsIn(part).filter((path) => path !== "index.ts" && !exists(path, part)));

test("every file that CONTRIBUTING.md names exists", () => {
  expect(pathsIn(page).length).toBeGreaterThan(40);
  expect(missingIn(page)).toEqual([]);
});

test("reports a file, folder or subpath that does not exist", () => {
  const text =
    "See `src/none.ts`, `nowhere/`, `tickwise/none` and NONE.md.\n\n1. `time.ts` in `src/math/`.\n";
  expect(missingIn(text)).toEqual(["src/none.ts", "nowhere/", "tickwise/none", "NONE.md", "time.ts"]);
});

test("every npm script that CONTRIBUTING.md names exists", () => {
  const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

describe("explains in five steps how to", () => {
  test.each(["Add a field kind", "Add a session", "Add an experiment to the lab", "Add a math function"])(
    "%s",
    (title) => {
      const section = page.split(`\n## ${title}\n`)[1]!.split("\n## ")[0]!;
      const lines = section.trim().split("\n");
      expect(lines.map((line) => line.slice(0, 3))).toEqual(["1. ", "2. ", "3. ", "4. ", "5. "]);
      for (const line of lines) expect(pathsIn(line), line).not.toEqual([]);
    },
  );
});

test("the repository has issue templates and policies", () => {
  expect(readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")).sort()).toEqual([
    "bug.yml",
    "config.yml",
    "feature.yml",
  ]);
  for (const file of ["SECURITY.md", ".github/PULL_REQUEST_TEMPLATE.md"])
    expect(readFileSync(join(ROOT, file), "utf8"), file).not.toBe("");
});
