import { siteHeader } from "./header.js";
import { RECORD_LINKS } from "./display.js";
import { escapeHtml, type SitePage } from "./page.js";
import { relativeLinks } from "./relative-links.js";

const SEARCH = `<button class="search-button" type="button" data-search hidden>Search<kbd aria-hidden="true">/</kbd></button>`;

const FOOTER = `
<footer class="site-footer">
  <p>Tickwise is free software under the MIT licence. The game loop follows Glenn Fiedler’s <a href="https://gafferongames.com/post/fix_your_timestep/">Fix Your Timestep!</a></p>
  <p class="links">${RECORD_LINKS}</p>
  <p><button type="button" data-shortcuts hidden>Keyboard shortcuts</button></p>
</footer>`;

/** The name of the social image: chapters have one of their own. */
const imageOf = ({ kind, path }: SitePage): string =>
  kind === "article" && path !== "article" ? path : "start";

/** Returns a page as an HTML document. Its links are relative, so that the site works in any folder. */
export async function documentOf(page: SitePage): Promise<string> {
  const { path, title, description, kind, script } = page;
  const main = await page.main();
  const isEmbedded = kind === "embed";
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <meta name="description" content="${escapeHtml(description)}" />
    <meta property="og:title" content="${escapeHtml(title)}" />
    <meta property="og:description" content="${escapeHtml(description)}" />
    <meta property="og:type" content="article" />
    ${isEmbedded ? '<meta name="robots" content="noindex" />' : `<meta property="og:image" content="/social/${imageOf(page)}.png" />`}
    <link rel="icon" type="image/svg+xml" href="/icon.svg" />
    <link rel="stylesheet" href="/src/theme/site.css" />
  </head>
  <body class="${kind}">
    ${isEmbedded ? "" : `<a class="skip" href="#main">Skip to content</a>${siteHeader(path, SEARCH)}`}
    <main id="main">${main}</main>
    ${isEmbedded ? "" : FOOTER}
    <script type="module" src="${script}"></script>
  </body>
</html>
`;
  return relativeLinks(html, path);
}
