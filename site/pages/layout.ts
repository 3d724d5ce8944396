import { escapeHtml, type SitePage } from "./page.js";

const NAV: readonly (readonly [string, string])[] = [
  ["/article/", "Article"],
  ["/docs/", "Docs"],
  ["/examples/", "Examples"],
  ["/lab/", "Lab"],
];

/** The icon and the wordmark: three ticks of a ruler, the last one in amber. */
const MARK = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M4 20V9M12 20V4" stroke="currentColor" stroke-width="3.2" stroke-linecap="round"/><path d="M20 20V9" stroke="var(--truth)" stroke-width="3.2" stroke-linecap="round"/></svg>`;

const header = (path: string): string => `
<header class="site-header">
  <a class="wordmark" href="/">${MARK}<span>Tickwise</span></a>
  <nav aria-label="Site">${NAV.map(([href, text]) => {
    const isCurrent = `/${path}/`.startsWith(href);
    return `<a href="${href}"${isCurrent ? ' aria-current="true"' : ""}>${text}</a>`;
  }).join("")}</nav>
  <button class="search-button" type="button" data-search hidden>Search<kbd aria-hidden="true">/</kbd></button>
</header>`;

const FOOTER = `
<footer class="site-footer">
  <p>Tickwise is free software under the MIT licence. The game loop follows Glenn Fiedler’s “Fix Your Timestep!”.</p>
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
    ${isEmbedded ? "" : `<a class="skip" href="#main">Skip to content</a>${header(path)}`}
    <main id="main">${main}</main>
    ${isEmbedded ? "" : FOOTER}
    <script type="module" src="${script}"></script>
  </body>
</html>
`;
  return relativeLinks(html, path);
}

/** Makes links to other pages relative. Vite does that for scripts and styles. */
function relativeLinks(html: string, path: string): string {
  const up = path === "" ? "./" : "../".repeat(path.split("/").length);
  return (
    html
      .replace(/(<a [^>]*?href=")\/(?!\/)/g, `$1${up}`)
      .replace(/(<iframe [^>]*?src=")\/(?!\/)/g, `$1${up}`)
      // Other sites need the whole address.
      .replace(
        /(property="og:image" content=")\//,
        `$1${process.env.SITE_ORIGIN?.replace(/\/?$/, "/") ?? up}`,
      )
  );
}
