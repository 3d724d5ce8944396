// Setup of a fresh clone: runs `npm ci` once, and again only if the lock file has changed. npm is a fake here.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

const folder = mkdtempSync(join(tmpdir(), "tickwise set-up-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

/** A fake npm that records its calls, and writes the record of installed packages as npm does. */
const NPM = `#!/usr/bin/env node
const { appendFileSync, cpSync, mkdirSync } = require("node:fs");
appendFileSync("calls.txt", process.argv.slice(2).join(" ") + "\\n");
mkdirSync("node_modules", { recursive: true });
cpSync("package-lock.json", "node_modules/.package-lock.json");
`;

const lock = (version: string) =>
  JSON.stringify({ packages: { "": {}, "node_modules/tool": { version, integrity: `of ${version}` } } });

beforeEach(() => {
  rmSync(folder, { recursive: true });
  for (const name of ["bin", "scripts"]) mkdirSync(path(name), { recursive: true });
  cpSync(join(ROOT, "scripts/setup.mjs"), path("scripts/setup.mjs"));
  writeFileSync(path("bin/npm"), NPM);
  chmodSync(path("bin/npm"), 0o755);
  writeFileSync(path("package-lock.json"), lock("1.0.0"));
});

function setUp(): string[] {
  const env = { ...process.env, PATH: path("bin") + delimiter + process.env.PATH };
  const program = 'import("./scripts/setup.mjs").then(({ setUp }) => setUp())';
  execFileSync(process.execPath, ["--eval", program], { cwd: folder, env, stdio: "pipe" });
  return existsSync(path("calls.txt")) ? readFileSync(path("calls.txt"), "utf8").trim().split("\n") : [];
}

// On Windows, npm is npm.cmd, which the fake does not replace.
test.skipIf(process.platform === "win32")("a fresh clone runs `npm ci`, once", () => {
  expect(setUp()).toEqual(["ci"]);
  expect(setUp()).toEqual(["ci"]);
});

test.skipIf(process.platform === "win32")("runs `npm ci` again if the lock file has changed", () => {
  setUp();
  writeFileSync(path("package-lock.json"), lock("1.0.1"));
  expect(setUp()).toEqual(["ci", "ci"]);
});
