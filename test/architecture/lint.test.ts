// Plants offences in a copy of the lint set-up, to prove that each rule of ours can fail.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

interface Complaint {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
}

const files = new Map<string, string>();
const complaints = new Map<string, string[]>();
const root = mkdtempSync(join(tmpdir(), "tickwise-lint-"));

/** Declares a test of what the linter says about a file. It runs once, over all of them. */
function expectLint(path: string, source: string, expected: readonly unknown[]): void {
  const file = `src/${path}${files.size}${path.endsWith("test") ? ".test.ts" : ".ts"}`;
  files.set(file, source);
  test(`${file}: ${source}`, () => expect(complaints.get(file) ?? []).toEqual(expected));
}

beforeAll(() => {
  for (const file of [".oxlintrc.json", "scripts/lint-plugin.mjs"])
    cpSync(join(ROOT, file), join(root, file));
  for (const [file, source] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const { stdout, stderr } = spawnSync(oxlint, ["--format=json"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (stderr) throw new Error(stderr);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Complaint[] };
  for (const { filename, code, message } of diagnostics)
    complaints.set(filename, [...(complaints.get(filename) ?? []), `${code}: ${message}`]);
});
afterAll(() => rmSync(root, { recursive: true }));

const uses = (path: string) => `import { it } from "${path}"; export const mine = it;`;
const usesType = (path: string) => `import type { It } from "${path}"; export type Mine = It;`;
const direction = (message: string) => [`tickwise(direction): ${message}`];

// A folder imports what lies below it, through the front door.
expectLint(
  "drivers/a",
  uses("../loop/index.js"),
  direction("drivers may not import loop; it may import errors, time."),
);
expectLint(
  "state/a",
  uses("../sim/index.js"),
  direction("state may not import sim; it may import errors, blend, math."),
);
expectLint(
  "loop/a",
  usesType("../sim/index.js"),
  direction("loop may not import sim; it may import errors, time, drivers."),
);
expectLint("loop/a", uses("../time/rate.js"), direction("Import the folder's index.js, not time/rate.js."));
expectLint(
  "sim/a",
  uses("../loop/stepping.js"),
  direction("Import the folder's index.js, not loop/stepping.js."),
);
expectLint("index", uses("./time/rate.js"), direction("Import the folder's index.js, not time/rate.js."));
expectLint(
  "attic/a",
  uses("../time/index.js"),
  direction("Give the folder attic a line in scripts/lint-plugin.mjs."),
);
expectLint("index", uses("./loop/index.js"), []);
expectLint("loop/a", uses("../time/index.js"), []);
expectLint("loop/a", uses("./part.js"), []);
expectLint("net/links/a", uses("../part.js"), []);
expectLint("testing/a", uses("../sim/index.js"), []);
expectLint("testing/a", uses("../loop/stepping.js"), []);

// The lowest folders import types alone, whatever the form of the import.
const TYPES_ONLY = direction("time may not import loop; it may import errors.");
expectLint("time/a", uses("../loop/index.js"), TYPES_ONLY);
expectLint("time/a", 'import "../loop/index.js";', TYPES_ONLY);
expectLint("time/a", 'import { type A, b } from "../loop/index.js"; export const c: A = b;', TYPES_ONLY);
expectLint("time/a", 'export { it } from "../loop/index.js";', TYPES_ONLY);
expectLint("time/a", 'export * from "../loop/index.js";', TYPES_ONLY);
expectLint("time/a", 'export const it = import("../loop/index.js");', TYPES_ONLY);
expectLint(
  "time/a",
  "export const it = (path: string) => import(path);",
  direction("Import a path that can be read here."),
);
expectLint("time/a", usesType("../loop/index.js"), []);
expectLint("blend/a", usesType("../loop/index.js"), []);
expectLint("hud/a", 'export { type It } from "../loop/index.js";', []);
expectLint("hud/a", uses("../errors/index.js"), []);
expectLint("hud/a", uses("../loop/index.js"), direction("hud may not import loop; it may import errors."));

// But for the one form of error.
expectLint("blend/a", uses("../errors/index.js"), []);
expectLint(
  "blend/a",
  uses("../time/index.js"),
  direction("blend may not import time; it may import errors."),
);

// Nothing comes from outside.
expectLint("loop/a", uses("node:fs"), direction("Only cli imports node:fs."));
expectLint("loop/a", uses("left-pad"), direction("The package has no dependencies; left-pad would be one."));
expectLint("cli/a", uses("node:fs"), []);
// But the command line loads what its users name, and has a part of replays that is not public.
expectLint("cli/a", "export const it = (path: string) => import(path);", []);
expectLint("cli/a", uses("left-pad"), direction("The package has no dependencies; left-pad would be one."));
expectLint("cli/a", uses("../replay/cut.js"), []);
expectLint(
  "cli/a",
  uses("../replay/head.js"),
  direction("Import the folder's index.js, not replay/head.js."),
);
expectLint(
  "testing/a",
  uses("../replay/cut.js"),
  direction("Import the folder's index.js, not replay/cut.js."),
);

// Nothing goes round in circles.
files.set("src/loop/egg.ts", uses("./hen.js"));
files.set("src/loop/hen.ts", uses("./egg.js"));
test("two files that import each other", () =>
  expect(complaints.get("src/loop/egg.ts")).toEqual(["import(no-cycle): Dependency cycle detected"]));

// Only drivers, and the program that is the command line, know the time. The overlay and devices know a page.
for (const call of [
  "performance.now()",
  "globalThis.performance.now()",
  "Date.now()",
  "new Date()",
  "process.hrtime()",
  "setTimeout(f)",
  "setInterval(f)",
  "setImmediate(f)",
  "requestAnimationFrame(f)",
]) {
  const source = `export const it = (f: () => void) => [f, ${call}];`;
  expectLint("loop/a", source, [expect.stringContaining("no-restricted-globals")]);
  expectLint("hud/a", source, [expect.stringContaining("no-restricted-globals")]);
  expectLint("input/devices/a", source, [expect.stringContaining("no-restricted-globals")]);
  expectLint("drivers/a", source, []);
  expectLint("cli/a", source, []);
}
for (const value of ["document.body", "window", "navigator.getGamepads()"]) {
  const source = `export const it = () => ${value};`;
  for (const folder of ["loop", "input"])
    expectLint(`${folder}/a`, source, [expect.stringContaining("no-restricted-globals")]);
  for (const folder of ["hud", "input/devices"]) expectLint(`${folder}/a`, source, []);
}

// Nobody counts in BigInt, but for tests.
for (const value of ["10n", "0xffn", "BigInt(10)", "globalThis.BigInt(10)"]) {
  expectLint("drivers/a", `export const it = ${value};`, [expect.stringMatching(/BigInt/)]);
  expectLint("time/test", `export const it = ${value};`, []);
}

// Mathematics is made of what engines agree on.
for (const value of [
  "Math.sin(1)",
  "Math['sin'](1)",
  "globalThis.Math.pow(2, 3)",
  "Math.PI",
  "((m) => m)(Math)",
])
  expectLint("math/a", `export const it = ${value};`, [
    expect.stringContaining("tickwise(exact-math): Engines differ"),
  ]);
expectLint("math/a", "export const it = (x: number) => x ** 2;", [expect.stringContaining("differ in **")]);
expectLint("math/a", "export const it = (x: number) => (x **= 2);", [
  expect.stringContaining("differ in **"),
]);
expectLint("math/a", "export const it = Math.sqrt(Math.abs(2) % 3);", []);
expectLint("integrate/a", "export const it = Math.hypot(3, 4);", [
  expect.stringContaining("tickwise(exact-math): Engines differ"),
]);
expectLint("math/test", "export const it = Math.sin(2 ** 3);", []);
expectLint("loop/a", "export const it = Math.sin(2 ** 3);", []);
