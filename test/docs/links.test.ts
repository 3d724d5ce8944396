// The docs ship with the package, so everything they link to must be in it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

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

/** The text of a page without its code, which may contain lookalikes of links. */
const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8").replace(/^```[^]*?^```$/gm, "");

/** The anchors of a page's headings, as GitHub generates them. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Links within the repository. */
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(([link, path, anchor]) => ({
    link: link.slice(1),
    path: path === "" ? page : posix.join(posix.dirname(page), path!),
    anchor,
  }));

test("the README and the docs are packed", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/start.md", "docs/state.md"]));
});

describe("the links of each page that is packed", () => {
  test.each(pages)("%s", (page) => {
    const broken = linksOf(page).filter(
      ({ path, anchor }) =>
        !packed.has(path) ||
        (anchor !== undefined && path.endsWith(".md") && !anchorsOf(path).includes(anchor)),
    );
    expect(broken.map(({ link }) => link)).toEqual([]);
  });
});

describe("the reading order", () => {
  const order = linksOf("docs/README.md")
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
      expect(linksOf(page).at(-1)!.path).toBe(next);
    },
  );
});
