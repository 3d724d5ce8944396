import type { FileGroup } from "./files.js";
import { escapeHtml, type SitePage } from "./page.js";

/** Returns a sitemap of pages, by their folders. `origin` is the address of the site, such as `https://example.org/tickwise`. */
export function sitemapOf(paths: readonly string[], origin: string): string {
  const root = new URL(origin.replace(/\/?$/, "/"));
  const urls = paths
    .map((path) => new URL(path === "" ? "" : `${path}/`, root).href)
    .map((address) => `  <url><loc>${escapeHtml(address)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}

/** Returns the folders of the pages that search engines should know: `parts` are those of the lab and the examples. */
export const indexedPaths = (pages: readonly SitePage[], parts: readonly string[]): readonly string[] => [
  ...pages.filter(({ kind }) => kind !== "embed").map(({ path }) => path),
  ...parts,
];

/** Makes the sitemap if the environment has the address of the site, as sitemaps need absolute addresses. */
export const sitemap = (paths: readonly string[]): FileGroup => ({
  paths: /^sitemap\.xml$/,
  files() {
    const origin = process.env.SITE_ORIGIN;
    if (origin) return [{ path: "sitemap.xml", content: sitemapOf(paths, origin) }];
    console.log(
      "No sitemap: set SITE_ORIGIN to the address of the site, such as https://example.org/tickwise.",
    );
    return [];
  },
});
