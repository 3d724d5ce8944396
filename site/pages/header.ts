const NAV: readonly (readonly [string, string])[] = [
  ["/article/", "Article"],
  ["/docs/", "Docs"],
  ["/examples/", "Examples"],
  ["/lab/", "Lab"],
];

/** The icon and the wordmark: three ticks of a ruler, the last one in amber. */
const MARK = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M4 20V9M12 20V4" stroke="currentColor" stroke-width="3.2" stroke-linecap="round"/><path d="M20 20V9" stroke="var(--truth)" stroke-width="3.2" stroke-linecap="round"/></svg>`;

/** Returns the header of a page, with `more` at its end. Its links begin with a slash: see `relativeLinks`. */
export const siteHeader = (path: string, more = ""): string => `
<header class="site-header">
  <a class="wordmark" href="/">${MARK}<span>Tickwise</span></a>
  <nav aria-label="Site">${NAV.map(([href, text]) => {
    const isCurrent = `/${path}/`.startsWith(href);
    return `<a href="${href}"${isCurrent ? ' aria-current="true"' : ""}>${text}</a>`;
  }).join("")}</nav>
  ${more}
</header>`;
