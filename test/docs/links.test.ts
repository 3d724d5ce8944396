// Who has only the package reads its pages there: what they link to must be in it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

const report = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  cwd: ROOT,
  encoding: "utf8",
  stdio: "pipe",
  // Tools are .cmd files on Windows, which only a shell can start.
  shell: process.platform === "win32",
});
const [{ files }] = JSON.parse(report) as [{ files: { path: string }[] }];
const packed = new Set(files.map(({ path }) => path));
const pages = [...packed].filter((path) => path.endsWith(".md")).sort();

/** A page without its code, in which what looks like a link may be none. */
const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8").replace(/^```[^]*?^```$/gm, "");

/** The names by which the headings of a page are linked, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Links that lead to no other site. */
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
