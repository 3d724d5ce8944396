// Checks the text of the GitHub workflows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const ci = read(".github/workflows/ci.yml");
const release = read(".github/workflows/release.yml");
const manifest = JSON.parse(read("package.json"));

/** The jobs of a workflow, by name. */
const jobsOf = (workflow: string) =>
  workflow
    .split(/^jobs:$/m)[1]!
    .split(/^(?= {2}[\w-]+:$)/m)
    .slice(1);
const nodesOf = (job: string) => /^ +node: \[(.*)\]$/m.exec(job)![1]!.split(", ").map(Number);

test("CI runs `npm test` on Linux, macOS and Windows, on the same maintained Node releases", () => {
  const [linux, others, ...more] = jobsOf(ci);
  expect(more).toEqual([]);
  expect(linux).toContain("runs-on: ubuntu-latest");
  expect(others).toContain("os: [macos-latest, windows-latest]");
  for (const job of [linux!, others!]) expect(job).toMatch(/^ +- run: npm test$/m);
  expect(nodesOf(others!)).toEqual(nodesOf(linux!).slice(-3));
});

test("CI also tests the oldest Node release that package.json promises", () => {
  const [, oldest] = /^>=(\d+)$/.exec(manifest.engines.node)!;
  expect(nodesOf(jobsOf(ci)[0]!)[0]).toBe(Number(oldest));
});

test("a tag is tested by CI, then published by the release script, with provenance and without a token", () => {
  const [tested, published, ...more] = jobsOf(release);
  expect(more).toEqual([]);
  expect(tested).toContain("uses: ./.github/workflows/ci.yml");
  expect(published).toContain("needs: test");
  expect(published).toContain("id-token: write");
  expect(published).toContain('npm run release -- "${GITHUB_REF_NAME#v}" --publish');
  expect(manifest.publishConfig.provenance).toBe(true);
  for (const workflow of [ci, release]) expect(workflow).not.toMatch(/secrets\.|_TOKEN|registry-url/i);
});
