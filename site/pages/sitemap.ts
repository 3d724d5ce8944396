import type { FileGroup } from "./files.js";
import { escapeHtml, type SitePage } from "./page.js";

/** Returns a sitemap of the pages. `origin` is the address of the site, such as `https://example.org/tickwise`. */
export function sitemapOf(pages: readonly SitePage[], origin: string): string {
  const root = new URL(origin.replace(/\/?$/, "/"));
  const urls = pages
    .filter(({ kind }) => kind !== "embed")
    .map(({ path }) => new URL(path === "" ? "" : `${path}/`, root).href)
    .map((address) => `  <url><loc>${escapeHtml(address)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}

/** Makes the sitemap if the environment has the address of the site, as sitemaps need absolute addresses. */
export const sitemap = (pages: readonly SitePage[]): FileGroup => ({
  paths: /^sitemap\.xml$/,
  files() {
    const origin = process.env.SITE_ORIGIN;
    if (origin) return [{ path: "sitemap.xml", content: sitemapOf(pages, origin) }];
    console.log(
      "No sitemap: set SITE_ORIGIN to the address of the site, such as https://example.org/tickwise.",
    );
    return [];
  },
});
