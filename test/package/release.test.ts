// Runs the release script in a copy of the repository. Nothing is published: npm is offline, or a fake that records its
// calls.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { ROOT } from "../../scripts/setup.mjs";

// The real path, as scripts compare process.argv[1] with the path of their module.
const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "tickwise-release-test-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clone = join(folder, "clone");
const bin = join(folder, "bin");
const calls = join(folder, "calls.txt");
const path = (name: string) => join(clone, name);

/** A fake npm that records each call. It never runs `publish`, packs without building, and passes on all else. */
const NPM = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(calls)}, JSON.stringify(args) + "\\n");
if (args[0] === "publish") process.exit(0);
const PATH = process.env.PATH.split(${JSON.stringify(delimiter)}).slice(1).join(${JSON.stringify(delimiter)});
process.exit(spawnSync("npm", [...args, "--ignore-scripts"], { stdio: "inherit", env: { ...process.env, PATH } }).status ?? 1);
`;

/** A fake attw that only makes sure that it gets a tarball. */
const ATTW = `#!/usr/bin/env node
require("node:fs").readFileSync(process.argv[2]);
if (!process.argv[2].endsWith(".tgz")) process.exit(1);
`;

const env = {
  ...process.env,
  npm_config_offline: "true",
  npm_config_cache: join(folder, "cache"),
  // Ignore the user's identity, hooks and keys.
  GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
  GIT_CONFIG_NOSYSTEM: "1",
};

const SKIPPED = new Set([".git", ".cache", "coverage", "node_modules", "test"]);

beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), NPM);
  chmodSync(join(bin, "npm"), 0o755);
  writeFileSync(join(folder, "gitconfig"), "[user]\nname = Test\nemail = test@example.invalid\n");
  const isCopied = (source: string) => source === ROOT || !SKIPPED.has(basename(source));
  cpSync(ROOT, clone, { recursive: true, filter: isCopied });
  // Its own folder of links, so that a test can replace a tool.
  for (const folder of ["", ".bin"]) {
    mkdirSync(path(join("node_modules", folder)));
    for (const name of readdirSync(join(ROOT, "node_modules", folder)))
      if (name !== ".bin")
        symlinkSync(
          join(ROOT, "node_modules", folder, name),
          path(join("node_modules", folder, name)),
          "junction",
        );
  }
  git("init", "--quiet");
  writeFileSync(path(".git/info/exclude"), "node_modules\n");
  // A release commit has no notes under "Unreleased".
  writeFileSync(path("CHANGELOG.md"), read("CHANGELOG.md").replace("## Unreleased\n", "$&\n- A note.\n"));
  commitAll("Before");
  git("branch", "before");
});

beforeEach(() => {
  git("reset", "--quiet", "--hard", "before");
  git("clean", "--quiet", "--force", "-d");
  for (const tag of git("tag").split("\n").filter(Boolean)) git("tag", "--delete", tag);
  rmSync(calls, { force: true });
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: clone, env, encoding: "utf8" }).trim();
const read = (name: string) => readFileSync(path(name), "utf8");

function commitAll(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", message);
}

function edit(name: string, change: (text: string) => string): void {
  writeFileSync(path(name), change(read(name)));
  commitAll(`Edit ${name}`);
}

/** Sets fields of package.json; undefined removes one. */
const setFields = (fields: object) =>
  edit("package.json", (text) => `${JSON.stringify({ ...JSON.parse(text), ...fields }, null, 2)}\n`);

/** Runs the script. Returns its exit status and its output. */
function release(args: string[], extra: NodeJS.ProcessEnv = {}) {
  const result = spawnSync(process.execPath, ["scripts/release.mjs", ...args], {
    cwd: clone,
    env: { ...env, ...extra },
    encoding: "utf8",
  });
  return { status: result.status, output: result.stdout + result.stderr };
}

const REPOSITORY = { type: "git", url: "git+https://host.invalid/owner/tickwise.git" };
const CURRENT: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
const [MAJOR] = CURRENT.split(".").map(Number);
/** Higher than any current version. */
const NEXT = `${MAJOR! + 1}.0.0`;

test.runIf(FULL)("a dry run checks the packed release and leaves neither changes, commits nor tags", () => {
  setFields({ repository: undefined });
  rmSync(path("dist"), { recursive: true });
  const { status, output } = release([NEXT, "--dry-run"]);
  expect(status, output).toBe(0);
  expect(output).toContain('package.json has no "repository". Add "repository":');
  // Printed by publint, attw and npm.
  expect(output).toContain("All good!");
  expect(output).toContain("🟢 (ESM)");
  expect(output).toContain("(dry-run)");
  expect(output).toContain(`+ tickwise@${NEXT}`);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--format=%s", "-1")).toBe("Edit package.json");
  expect(git("tag")).toBe("");
});

// On Windows, commands have extensions, and only a shell would find the fake.
describe.skipIf(process.platform === "win32")("with a fake npm", () => {
  const PATH = bin + delimiter + process.env.PATH;
  const published = () =>
    readFileSync(calls, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[])
      .filter(([command]) => command === "publish")
      .map(([, , ...flags]) => flags);

  // The dry run above has checked the types, which takes long.
  beforeAll(() => {
    rmSync(path("node_modules/.bin/attw"));
    writeFileSync(path("node_modules/.bin/attw"), ATTW);
    chmodSync(path("node_modules/.bin/attw"), 0o755);
  });

  beforeEach(() => {
    setFields({ repository: REPOSITORY, bugs: undefined, homepage: undefined });
  });

  test("a release sets version, links and changelog, then commits and tags; only --publish publishes", () => {
    const notes = read("CHANGELOG.md").split("## Unreleased\n")[1]!;
    const days = [new Date().toISOString().slice(0, 10)];
    const prepared = release([NEXT], { PATH });
    days.push(new Date().toISOString().slice(0, 10));
    expect(prepared.status, prepared.output).toBe(0);
    expect(published()).toEqual([["--provenance", "--dry-run"]]);

    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "--format=%s", "-1")).toBe(`Release ${NEXT}`);
    expect(git("tag", "--points-at", "HEAD")).toBe(`v${NEXT}`);
    expect(git("diff", "--name-only", "HEAD~1").split("\n")).toEqual([
      "CHANGELOG.md",
      "package-lock.json",
      "package.json",
    ]);
    expect(JSON.parse(read("package.json"))).toMatchObject({
      version: NEXT,
      bugs: { url: "https://host.invalid/owner/tickwise/issues" },
      homepage: "https://host.invalid/owner/tickwise#readme",
    });
    const lock = JSON.parse(read("package-lock.json"));
    expect([lock.version, lock.packages[""].version]).toEqual([NEXT, NEXT]);
    const expected = days.map((day) => `# Changelog\n\n## Unreleased\n\n## ${NEXT} (${day})\n${notes}`);
    expect(expected).toContain(read("CHANGELOG.md"));
    // Passes the format check of `npm test`.
    execFileSync(join(ROOT, "node_modules/.bin/oxfmt"), ["--check", "package.json"], { cwd: clone });

    rmSync(calls);
    const uploaded = release([NEXT, "--publish"], { PATH });
    expect(uploaded.status, uploaded.output).toBe(0);
    expect(published()).toEqual([["--provenance", "--dry-run"], ["--provenance"]]);
  });

  test.runIf(FULL)("a prerelease is published under the tag next", () => {
    const { status, output } = release([`${NEXT}-beta.1`, "--dry-run"], { PATH });
    expect(status, output).toBe(0);
    expect(published()).toEqual([["--provenance", "--tag", "next", "--dry-run"]]);
  });

  test("a package that publint rejects is not tagged, and the files are restored", () => {
    setFields({ exports: { ".": "./dist/missing.js" } });
    const { status, output } = release([NEXT], { PATH });
    expect(status).not.toBe(0);
    expect(output).toContain("dist/missing.js");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("tag")).toBe("");
  });
});

describe("rejects", () => {
  /** Returns the message of a call that must fail without changing anything. */
  function refusal(...args: string[]): string {
    const before = git("rev-parse", "HEAD") + git("status", "--porcelain");
    const { status, output } = release(args);
    expect(status, output).toBe(1);
    expect(git("rev-parse", "HEAD") + git("status", "--porcelain")).toBe(before);
    return output;
  }

  test("a tree with changes", () => {
    writeFileSync(path("new.txt"), "");
    expect(refusal(NEXT, "--dry-run")).toMatch(/^release: the working tree has changes[^]*\?\? new\.txt/);
  });

  test.each(["", "1.2", "v1.2.3", "01.2.3", "latest", "1.2.3-"])("%j as a version", (wanted) => {
    expect(refusal(wanted, "--dry-run")).toContain(
      `VERSION must look like 1.2.0 or 1.2.0-beta.1, got "${wanted}"`,
    );
  });

  test("an unknown flag, and two contradictory flags", () => {
    expect(refusal(NEXT, "--force")).toContain("'--force'");
    expect(refusal(NEXT, "--dry-run", "--publish")).toContain("exclude each other");
  });

  test("a version lower than the current one", () => {
    setFields({ version: "3.10.0" });
    expect(refusal("3.9.1", "--dry-run")).toContain("3.9.1 is lower than the current version, 3.10.0.");
  });

  test("a version that has a tag", () => {
    git("tag", `v${NEXT}`);
    expect(refusal(NEXT, "--dry-run")).toContain(`the tag v${NEXT} already exists`);
  });

  test("a changelog without notes", () => {
    edit(
      "CHANGELOG.md",
      () => "# Changelog\n\n## Unreleased\n\n### Fixed\n\n## 0.0.1 (2026-01-01)\n\n- Old.\n",
    );
    expect(refusal(NEXT, "--dry-run")).toContain('no notes under "## Unreleased"');
    edit("CHANGELOG.md", () => "# Changelog\n\n## 0.0.1 (2026-01-01)\n\n- Old.\n");
    expect(refusal(NEXT, "--dry-run")).toContain('no heading "## Unreleased"');
  });

  test.each([[[]], [["--publish"]]])("a release without the repository's address %j", (flags) => {
    setFields({ repository: undefined });
    expect(refusal(NEXT, ...flags)).toContain('package.json has no "repository"');
  });

  test.each([
    "owner/name",
    { type: "git", url: "" },
    { type: "git", url: "https://host.invalid/owner/name" },
  ])("%j as the repository", (repository) => {
    setFields({ repository });
    expect(refusal(NEXT, "--dry-run")).toContain('"repository" in package.json must look like');
  });

  test("publishing a version that was not prepared, tagged and linked", () => {
    setFields({ repository: REPOSITORY });
    expect(refusal(NEXT, "--publish")).toContain(`package.json has version ${CURRENT}, not ${NEXT}`);
    setFields({ version: NEXT });
    expect(refusal(NEXT, "--publish")).toContain(`CHANGELOG.md has no heading for ${NEXT}`);
    edit("CHANGELOG.md", (text) => text.replace("## Unreleased", `## Unreleased\n\n## ${NEXT} (2026-01-01)`));
    expect(refusal(NEXT, "--publish")).toContain(`the current commit has no tag v${NEXT}`);
    git("tag", `v${NEXT}`);
    expect(refusal(NEXT, "--publish")).toContain('"bugs" and "homepage" in package.json do not match');
  });
});
