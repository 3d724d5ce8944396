// Releases a version:
//   npm run release -- 1.2.0 --dry-run   sets the version, builds and checks the package, then restores the files
//   npm run release -- 1.2.0             the same, but commits and tags the result
//   npm run release -- 1.2.0 --publish   publishes a tagged commit; .github/workflows/release.yml calls this
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, run, setUp } from "./setup.mjs";

const USAGE = "Usage: npm run release -- VERSION [--dry-run | --publish]";

const { version, dryRun, publish } = readArguments();
const tag = `v${version}`;
const manifest = JSON.parse(read("package.json"));
let isCommitted = false;

checkTree();
const address = readAddress();
setUp();
if (publish) checkReleased();
else prepare();
checkPackage();
if (!dryRun && !publish) commit();

function readArguments() {
  const options = /** @type {const} */ ({ "dry-run": { type: "boolean" }, publish: { type: "boolean" } });
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [wanted = "", ...others] = positionals;
    if (others.length > 0) fail(`unexpected argument "${others[0]}". ${USAGE}`);
    if (values["dry-run"] && values.publish) fail(`--dry-run and --publish exclude each other. ${USAGE}`);
    const number = "(0|[1-9]\\d*)";
    if (!new RegExp(`^${number}\\.${number}\\.${number}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$`).test(wanted))
      fail(`VERSION must look like 1.2.0 or 1.2.0-beta.1, got "${wanted}". ${USAGE}`);
    return { version: wanted, dryRun: values["dry-run"] === true, publish: values.publish === true };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message} ${USAGE}`);
  }
}

function checkTree() {
  const changes = git("status", "--porcelain");
  if (changes !== "") fail(`the working tree has changes. Commit or stash them first.\n${changes}`);
}

/**
 * The web address of the repository. `repository` in package.json is the only place that states it: `bugs` and
 * `homepage` follow from it. Provenance needs it, so only a dry run works without.
 */
function readAddress() {
  const example = '"repository": { "type": "git", "url": "git+https://HOST/OWNER/NAME.git" }';
  if (manifest.repository === undefined) {
    const missing = `package.json has no "repository". Add ${example}.`;
    if (!dryRun) fail(missing);
    console.warn(`release: ${missing} This is only a dry run, so it continues.`);
    return undefined;
  }
  const [, found] = /^git\+(https:\/\/[^/\s]+\/\S+)\.git$/.exec(manifest.repository.url) ?? [];
  if (manifest.repository.type !== "git" || found === undefined)
    fail(
      `"repository" in package.json must look like ${example}, got ${JSON.stringify(manifest.repository)}.`,
    );
  return found;
}

/** Sets version, links and changelog. If anything fails from here on, the files are restored. */
function prepare() {
  if (git("tag", "--list", tag) !== "") fail(`the tag ${tag} already exists. Choose a higher version.`);
  if (compareCores(version, manifest.version) < 0)
    fail(`${version} is lower than the current version, ${manifest.version}. Choose a higher version.`);
  const lock = JSON.parse(read("package-lock.json"));
  const changelog = releasedChangelog(read("CHANGELOG.md"));

  restoreOnExit("package.json", "package-lock.json", "CHANGELOG.md");
  writeJson("package.json", { ...manifest, version, ...linksOf(address) });
  // Moves new fields to their usual place.
  run("oxfmt", "package.json");
  writeJson("package-lock.json", {
    ...lock,
    version,
    packages: { ...lock.packages, "": { ...lock.packages[""], version } },
  });
  write("CHANGELOG.md", changelog);
}

/** Negative if `a` is lower than `b`, without regard to prerelease parts. */
function compareCores(/** @type {string} */ a, /** @type {string} */ b) {
  const [left, right] = [a, b].map((each) => each.replace(/-.*/, "").split(".").map(Number));
  return (left ?? []).map((part, i) => part - (right?.[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Puts a heading with version and date below "Unreleased", so that the notes belong to the version. */
function releasedChangelog(/** @type {string} */ text) {
  const heading = "## Unreleased\n";
  const start = text.indexOf(`\n${heading}`) + 1;
  if (start === 0) fail('CHANGELOG.md has no heading "## Unreleased". Add it above the newest version.');
  const rest = text.slice(start + heading.length);
  const [notes = ""] = rest.split(/^## /m, 1);
  if (!/^[^#\s]/m.test(notes)) fail('CHANGELOG.md has no notes under "## Unreleased". Describe the changes.');
  const date = new Date().toISOString().slice(0, 10);
  return `${text.slice(0, start)}${heading}\n## ${version} (${date})\n${rest}`;
}

/** The fields of package.json that follow from the repository's address. */
function linksOf(/** @type {string | undefined} */ url) {
  return url === undefined ? {} : { bugs: { url: `${url}/issues` }, homepage: `${url}#readme` };
}

/** Only what `prepare` made, and was committed and tagged, is published. */
function checkReleased() {
  if (manifest.version !== version)
    fail(`package.json has version ${manifest.version}, not ${version}. Prepare it without --publish first.`);
  if (!read("CHANGELOG.md").includes(`\n## ${version} (`))
    fail(`CHANGELOG.md has no heading for ${version}. Prepare it without --publish first.`);
  if (!git("tag", "--points-at", "HEAD").split("\n").includes(tag))
    fail(`the current commit has no tag ${tag}. Check out the tag first.`);
  const links = linksOf(address);
  if (JSON.stringify({ bugs: manifest.bugs, homepage: manifest.homepage }) !== JSON.stringify(links))
    fail('"bugs" and "homepage" in package.json do not match "repository". Prepare the release again.');
}

/** Builds and packs once; then checks, and with --publish uploads, exactly that file. */
function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-release-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  stage("build and pack");
  // Its prepack script builds.
  run("npm", "pack", "--pack-destination", folder);
  const tarball = join(folder, `${manifest.name}-${version}.tgz`);
  stage("publint");
  run("publint", "run", tarball, "--strict");
  stage("types");
  run("attw", tarball, "--profile", "esm-only", "--no-definitely-typed");
  stage("npm publish --dry-run");
  // npm would make a prerelease the default for everyone, so it gets its own tag.
  const upload = ["publish", tarball, "--provenance", ...(version.includes("-") ? ["--tag", "next"] : [])];
  run("npm", ...upload, "--dry-run");
  if (publish) {
    stage("npm publish");
    run("npm", ...upload);
  }
  console.log(`\n${version} ${publish ? "is published" : "passed all checks"}.`);
}

function commit() {
  git("commit", "--quiet", "--all", "--message", `Release ${version}`);
  isCommitted = true;
  git("tag", "--annotate", tag, "--message", `Release ${version}`);
  console.log(`Committed and tagged ${tag}. To publish it, push both: git push --follow-tags`);
}

function restoreOnExit(/** @type {string[]} */ ...files) {
  const before = files.map((file) => /** @type {const} */ ([file, read(file)]));
  process.on("exit", () => {
    if (!isCommitted) for (const [file, text] of before) write(file, text);
  });
  // Without a listener, Ctrl-C would end the process before it restores them.
  process.on("SIGINT", () => process.exit(130));
}

function stage(/** @type {string} */ name) {
  console.log(`\n== ${name}`);
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(`release: ${message}`);
  process.exit(1);
}

function git(/** @type {string[]} */ ...args) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

function read(/** @type {string} */ file) {
  return readFileSync(join(ROOT, file), "utf8");
}

function write(/** @type {string} */ file, /** @type {string} */ text) {
  writeFileSync(join(ROOT, file), text);
}

function writeJson(/** @type {string} */ file, /** @type {unknown} */ value) {
  write(file, `${JSON.stringify(value, null, 2)}\n`);
}
