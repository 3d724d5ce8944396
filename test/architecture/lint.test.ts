// Plants violations in a copy of the lint setup, to prove that each of our rules can fail.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

interface Finding {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
}

const files = new Map<string, string>();
const findings = new Map<string, string[]>();
const root = mkdtempSync(join(tmpdir(), "tickwise-lint-"));

/** Declares a test of the linter's findings in a file. The linter runs once, for all files. */
function expectLint(path: string, source: string, expected: readonly unknown[]): void {
  const file = `src/${path}${files.size}${path.endsWith("test") ? ".test.ts" : ".ts"}`;
  files.set(file, source);
  test(`${file}: ${source}`, () => expect(findings.get(file) ?? []).toEqual(expected));
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
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] };
  for (const { filename, code, message } of diagnostics)
    findings.set(filename, [...(findings.get(filename) ?? []), `${code}: ${message}`]);
});
afterAll(() => rmSync(root, { recursive: true }));

const uses = (path: string) => `import { it } from "${path}"; export const mine = it;`;
const usesType = (path: string) => `import type { It } from "${path}"; export type Mine = It;`;
const direction = (message: string) => [`tickwise(direction): ${message}`];

// A folder imports only lower folders, through their index.js.
expectLint(
  "platform/a",
  usesType("../loop/index.js"),
  direction("platform may not import loop; it may import errors."),
);
expectLint(
  "state/a",
  uses("../sim/index.js"),
  direction("state may not import sim; it may import errors, blend, math."),
);
expectLint(
  "loop/a",
  usesType("../sim/index.js"),
  direction("loop may not import sim; it may import errors, platform."),
);
expectLint(
  "loop/a",
  uses("../platform/clock.js"),
  direction("Import the folder's index.js, not platform/clock.js."),
);
expectLint(
  "sim/a",
  uses("../loop/stepping.js"),
  direction("Import the folder's index.js, not loop/stepping.js."),
);
expectLint("index", uses("./loop/rate.js"), direction("Import the folder's index.js, not loop/rate.js."));
expectLint(
  "attic/a",
  uses("../loop/index.js"),
  direction("Add the folder attic to scripts/lint-plugin.mjs."),
);
expectLint("index", uses("./loop/index.js"), []);
expectLint("loop/a", uses("../platform/index.js"), []);
expectLint("loop/drivers/a", uses("../../platform/index.js"), []);
expectLint("loop/a", uses("./part.js"), []);
expectLint("net/links/a", uses("../part.js"), []);
expectLint("testing/a", uses("../sim/index.js"), []);
expectLint("testing/a", uses("../net/simulated.js"), []);

// The lowest folders import only types from higher ones, in any form of import.
const TYPES_ONLY = direction("blend may not import loop; it may import errors.");
expectLint("blend/a", uses("../loop/index.js"), TYPES_ONLY);
expectLint("blend/a", 'import "../loop/index.js";', TYPES_ONLY);
expectLint("blend/a", 'import { type A, b } from "../loop/index.js"; export const c: A = b;', TYPES_ONLY);
expectLint("blend/a", 'export { it } from "../loop/index.js";', TYPES_ONLY);
expectLint("blend/a", 'export * from "../loop/index.js";', TYPES_ONLY);
expectLint("blend/a", 'export const it = import("../loop/index.js");', TYPES_ONLY);
expectLint(
  "blend/a",
  "export const it = (path: string) => import(path);",
  direction("Import a literal path."),
);
expectLint("blend/a", usesType("../loop/index.js"), []);
expectLint("hud/a", 'export { type It } from "../sim/index.js";', []);
expectLint("hud/a", uses("../loop/index.js"), []);
expectLint(
  "hud/a",
  uses("../sim/index.js"),
  direction("hud may not import sim; it may import errors, platform, loop, net/net-problems.js."),
);

// But every folder may import errors.
expectLint("blend/a", uses("../errors/index.js"), []);
expectLint(
  "blend/a",
  uses("../platform/index.js"),
  direction("blend may not import platform; it may import errors."),
);

// No dependencies.
expectLint("loop/a", uses("node:fs"), direction("Only cli, server, queue, colyseus import node:fs."));
expectLint(
  "loop/a",
  uses("left-pad"),
  direction("The package has no dependencies, so it cannot import left-pad."),
);
expectLint("cli/a", uses("node:fs"), []);
// Folders for Node import the packages that they are made for.
expectLint("queue/a", uses("bullmq"), []);
expectLint("queue/a", uses("ws"), direction("The package has no dependencies, so it cannot import ws."));
expectLint(
  "queue/a",
  uses("../net/index.js"),
  direction("queue may not import net; it may import errors, platform, state, sim, replay."),
);
// The command line loads modules that users name, and may import one internal file of replay.
expectLint("cli/a", "export const it = (path: string) => import(path);", []);
expectLint(
  "cli/a",
  uses("left-pad"),
  direction("The package has no dependencies, so it cannot import left-pad."),
);
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

// No import cycles.
files.set("src/loop/egg.ts", uses("./hen.js"));
files.set("src/loop/hen.ts", uses("./egg.js"));
test("reports two files that import each other", () =>
  expect(findings.get("src/loop/egg.ts")).toEqual(["import(no-cycle): Dependency cycle detected"]));

// Only drivers, the platform and the command line read clocks. Only the HUD and input devices use the DOM.
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
  for (const folder of ["platform", "loop/drivers", "cli"]) expectLint(`${folder}/a`, source, []);
}
for (const value of ["document.body", "window", "navigator.getGamepads()"]) {
  const source = `export const it = () => ${value};`;
  for (const folder of ["loop", "input"])
    expectLint(`${folder}/a`, source, [expect.stringContaining("no-restricted-globals")]);
  for (const folder of ["hud", "input/devices"]) expectLint(`${folder}/a`, source, []);
}

// No BigInt, except in tests.
for (const value of ["10n", "0xffn", "BigInt(10)", "globalThis.BigInt(10)"]) {
  for (const folder of ["loop", "platform", "loop/drivers"])
    expectLint(`${folder}/a`, `export const it = ${value};`, [expect.stringMatching(/BigInt/)]);
  expectLint("loop/test", `export const it = ${value};`, []);
}

// Math functions use only functions on which engines agree.
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
