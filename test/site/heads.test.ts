// What search engines and other sites see of all pages: those of the site, of the lab and of the examples.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { parsedDocs } from "../../site/pages/docs.js";
import { allPages } from "../../site/pages/index.js";
import { documentOf } from "../../site/pages/layout.js";
import { partPaths } from "../../site/pages/parts.js";
import { indexedPaths, sitemapOf } from "../../site/pages/sitemap.js";
import { withSocialTags } from "../../site/pages/social-tags.js";

const pages = allPages(parsedDocs());
const parts = partPaths(ROOT);
const paths = indexedPaths(pages, parts);

/** Documents by their folders. The content of a page does not matter here. */
const documents = new Map(
  await Promise.all(
    pages
      .filter(({ kind }) => kind !== "embed")
      .map(async (page) => [page.path, await documentOf({ ...page, main: () => "" })] as const),
  ),
);
for (const path of parts)
  documents.set(path, withSocialTags(readFileSync(join(ROOT, path, "index.html"), "utf8"), path));

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta\\s+(?:name|property)="${name}"\\s+content="([^"]*)"`).exec(html)?.[1];

test("the sitemap has the absolute address of every page, the lab and the examples included", () => {
  const xml = sitemapOf(paths, "https://example.org/tickwise");
  const addresses = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address!);
  expect(addresses).toEqual(
    [...documents.keys()].map((path) => `https://example.org/tickwise/${path && `${path}/`}`),
  );
  for (const path of ["", "spiral/", "docs/loop/", "lab/", "examples/", "examples/three/"])
    expect(addresses).toContain(`https://example.org/tickwise/${path}`);
  expect(xml).not.toContain("embed");
});

test("each page has a title of its own, a description and a social image that exists", () => {
  const titles = [...documents.values()].map((html) => /<title>(.+?)<\/title>/.exec(html)?.[1]);
  expect(titles).not.toContain(undefined);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  for (const [path, html] of documents) {
    const description = contentOf(html, "description") ?? "";
    expect(description.length, path).toBeGreaterThan(15);
    // What search engines show.
    expect(description.length, path).toBeLessThanOrEqual(200);
    expect(contentOf(html, "og:description"), path).toBe(description);
    expect(html, path).toContain(`property="og:title" content="${/<title>(.*?)<\/title>/.exec(html)![1]}"`);
    const image = new URL(contentOf(html, "og:image") ?? "", `https://example.org/${path && `${path}/`}`);
    expect(image.pathname, path).toMatch(/^\/social\/[\w-]+\.png$/);
    expect(existsSync(join(ROOT, "site/public", image.pathname)), `${path}: ${image.pathname}`).toBe(true);
  }
});

test("a page without a description is reported", () => {
  expect(() => withSocialTags("<title>x</title></head>", "examples/x")).toThrow("examples/x/index.html");
});
