import { escapeHtml } from "../page.js";
import { inOrder, menuHtml, type MenuEntry } from "./menu.js";
import type { Heading } from "./parse.js";

/** Returns the content of a page between the sidebar and the list of its sections. */
export function docsFrame(
  path: string,
  menu: readonly MenuEntry[],
  headings: readonly Heading[],
  article: string,
): string {
  return `<div class="docs-page">
<nav class="docs-menu" aria-label="Documentation"><details><summary>All pages</summary>${menuHtml(menu, path)}</details></nav>
<article class="docs-article">
${article}${neighbours(path, inOrder(menu))}
</article>
${sections(headings)}
</div>`;
}

function neighbours(path: string, order: readonly MenuEntry[]): string {
  // The index comes before the first page.
  const at = order.findIndex((entry) => entry.path === path);
  if (at < 0 && path !== "docs") return "";
  const link = (entry: MenuEntry | undefined, rel: string, text: string) =>
    entry
      ? `<a rel="${rel}" href="/${entry.path}/"><small>${text}</small>${escapeHtml(entry.title)}</a>`
      : "<span></span>";
  return `<nav class="docs-neighbours" aria-label="Next and previous page">
${link(order[at - 1], "prev", "Previous")}${link(order[at + 1], "next", "Next")}</nav>`;
}

function sections(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ level, text, anchor }) =>
      `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="docs-sections" aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></nav>`;
}
