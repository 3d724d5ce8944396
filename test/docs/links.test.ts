// The docs ship with the package, so everything they link to must be in it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { anchorsOf, linksOf } from "./markdown.js";

const report = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  cwd: ROOT,
  encoding: "utf8",
  stdio: "pipe",
  // On Windows, npm is a .cmd file, which only a shell can start.
  shell: process.platform === "win32",
});
const [{ files }] = JSON.parse(report) as [{ files: { path: string }[] }];
const packed = new Set(files.map(({ path }) => path));
const pages = [...packed].filter((path) => path.endsWith(".md")).sort();

const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8");
const linksIn = (page: string) => linksOf(page, textOf(page));

test("the README and the docs are packed", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/start.md", "docs/state.md"]));
});

describe("the links of each page that is packed", () => {
  test.each(pages)("%s", (page) => {
    const broken = linksIn(page).filter(
      ({ path, anchor }) =>
        !packed.has(path) ||
        (anchor !== undefined && path.endsWith(".md") && !anchorsOf(textOf(path)).includes(anchor)),
    );
    expect(broken.map(({ link }) => link)).toEqual([]);
  });
});

test("every file of src/loop that docs/loop.md names exists", () => {
  const files = [...textOf("docs/loop.md").matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !existsSync(join(ROOT, "src/loop", file)))).toEqual([]);
});

describe("the reading order", () => {
  const order = linksIn("docs/README.md")
    .map(({ path }) => path)
    .slice(0, -1); // without its own link to the next page

  test("the index lists every page of the docs once", () => {
    const all = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== "docs/README.md");
    expect([...order].sort()).toEqual([...all, "docs/reference/README.md"].sort());
  });

  test.each(order.slice(0, -1).map((page, i) => [page, order[i + 1]!] as const))(
    "%s ends with a link to %s",
    (page, next) => {
      expect(textOf(page).trimEnd().split("\n").at(-1)).toMatch(/^Next: \[.+\]\(.+\)$/);
      expect(linksIn(page).at(-1)!.path).toBe(next);
    },
  );
});
