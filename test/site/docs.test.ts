import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { docsPages, parsedDocs } from "../../site/pages/docs.js";
import { slugOf } from "../../site/pages/docs/anchors.js";
import { codeHighlighter } from "../../site/pages/highlight.js";
import { inOrder, menuOf } from "../../site/pages/docs/menu.js";
import { parseDoc } from "../../site/pages/docs/parse.js";
import { searchIndex } from "../../site/pages/docs/search-index.js";
import { documentOf } from "../../site/pages/layout.js";
import { escapeHtml } from "../../site/pages/page.js";
import { searchIn } from "../../site/src/search/search.js";
import { anchorsOf } from "../docs/markdown.js";
import { brokenLinks, idsIn } from "./html.js";

const docs = parsedDocs();
const pages = docsPages(docs, async () => escapeHtml);
const rendered = new Map(
  await Promise.all(pages.map(async (page) => [page.path, await page.main()] as const)),
);

/** Pages that other parts of the site make. */
const isElsewhere = (path: string) => path === "" || existsSync(join(ROOT, path, "index.html"));

describe("the pages of the documentation", () => {
  test("there is one for each Markdown file, with its own path, title and description", () => {
    expect(docs.length).toBeGreaterThan(55);
    expect(rendered.size).toBe(pages.length);
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
    for (const { path, description } of pages) {
      expect(description.length, path).toBeGreaterThan(15);
      expect(description.length, path).toBeLessThanOrEqual(162);
      expect(description, path).not.toMatch(/[`*[\]]/);
    }
  });

  test("every link leads to a page and to a heading on it", () => {
    expect(brokenLinks(rendered, isElsewhere)).toEqual([]);
  });

  test("no two elements of a page have the same id", () => {
    for (const [path, html] of rendered) {
      const ids = ["main", ...idsIn(html)];
      expect(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        path,
      ).toEqual([]);
    }
  });

  test("headings have the ids that they have on GitHub", () => {
    for (const { headings, source } of docs) {
      expect(
        headings.map(({ anchor }) => anchor),
        source.file,
      ).toEqual(anchorsOf(source.markdown));
    }
    const repeated = parseDoc({
      file: "a.md",
      path: "a",
      markdown: "# A `b`: c?\n\n## A\n\n## A\n\n## A 1\n",
    });
    expect(repeated.headings.map(({ anchor }) => anchor)).toEqual(["a-b-c", "a", "a-1", "a-1-1"]);
    expect(slugOf("Größe & 2^53 – what_is")).toBe("größe--253--what_is");
  });

  test("no link or picture begins at the root of the host, so that the site works in any folder", async () => {
    const [index] = pages;
    const html = await documentOf(pages.find(({ path }) => path === "docs/pixel-art")!);
    expect(html).toContain('src="../../docs/pictures/camera.png"');
    expect(html).toContain('href="../../docs/loop/"');
    for (const each of [html, await documentOf(index!)])
      expect(each).not.toMatch(/<(a|img)\b[^>]*(href|src)="\//);
  });

  test("the menu has every page once, except the texts of files and the index", () => {
    const listed = inOrder(menuOf(docs)).map(({ path }) => path);
    const all = docs.map(({ source }) => source.path);
    expect(listed.sort()).toEqual(
      all.filter((path) => !["docs", "docs/examples/deploy"].includes(path)).sort(),
    );
    expect(rendered.get("docs/loop")).toContain('<a href="/docs/loop/" aria-current="page">The loop</a>');
  });

  test("previous and next follow the order of the index, instead of the link at the end of the file", () => {
    const html = rendered.get("docs/loop")!;
    expect(html).toMatch(/rel="prev" href="\/docs\/which-timestep\/"/);
    expect(html).toMatch(/rel="next" href="\/docs\/choosing-a-rate\/"/);
    expect(html).not.toContain("Next: ");
    expect(rendered.get("docs")).toMatch(/rel="next" href="\/docs\/start\/"/);
  });

  test("code is highlighted by classes that code.css colours", async () => {
    const highlight = await codeHighlighter();
    const html = highlight('const a = "b"; // <c>', "ts");
    expect(html).toContain('<span class="t-comment">// &lt;c&gt;</span>');
    const css = readFileSync(join(ROOT, "site/src/theme/code.css"), "utf8");
    const kinds = [...html.matchAll(/class="(t-[\w-]+)"/g)].map(([, kind]) => kind!);
    expect(kinds.length).toBeGreaterThan(2);
    for (const kind of kinds) expect(css).toMatch(new RegExp(`^\\.${kind}\\b`, "m"));
  });
});

describe("the search", () => {
  const root = "https://example.org/tickwise/";
  const search = searchIn(searchIndex(docs), root);
  const best = (query: string) => search(query).map(({ href }) => href.replace(root, ""));

  test("finds headings, names, parts of names and misspelled words", () => {
    expect(best("hit-stop").slice(0, 2)).toContain("docs/recipes/#hit-stop");
    expect(best("localSession")[0]).toBe("docs/reference/sim/#function-localsession");
    expect(best("spiral of death").slice(0, 2)).toContain("docs/loop/#overload");
    expect(best("determinsm")[0]).toBe("docs/determinism/");
    expect(best("rollback").slice(0, 3)).toContain("docs/netcode/");
    expect(best("session local")).toContain("docs/reference/sim/#function-localsession");
    expect(best("xylophone")).toEqual([]);
  });

  test("leads to headings that exist", () => {
    const links = best("loop").map((id) => `<a href="/${id}">`);
    expect(links.length).toBeGreaterThan(50);
    expect(brokenLinks(new Map([...rendered, ["found", links.join("")]]), isElsewhere)).toEqual([]);
  });
});

test("these checks report links that lead nowhere", () => {
  const site = new Map([
    ["a", '<h1 id="x"></h1><a href="/b/#y"></a><a href="#x"></a><a href="https://c.d/"></a>'],
    ["b", '<h1 id="y"></h1><a href="/c/"></a><a href="/a/#z"></a><a href="#z"></a><a rel="x" href="b/">'],
  ]);
  expect(brokenLinks(site, () => false)).toEqual(["b: /c/", "b: /a/#z", "b: #z", "b: b/"]);
  expect(idsIn('<p id="a"><p class="b" id="c">')).toEqual(["a", "c"]);
});
