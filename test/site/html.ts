/** Returns the ids of all elements. */
export const idsIn = (html: string): string[] =>
  [...html.matchAll(/<[^>]*?\sid="([^"]*)"/g)].map(([, id]) => id!);

/**
 * Returns links that lead nowhere, as `page: link`. `pages` are HTML by path, before their links are made relative.
 * `isElsewhere` tells which other paths exist.
 */
export function brokenLinks(
  pages: ReadonlyMap<string, string>,
  isElsewhere: (path: string) => boolean,
): string[] {
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(idsIn(html))]));
  const leads = (from: string, href: string) => {
    if (/^https?:/.test(href)) return true;
    const [, path, , anchor] = /^(?:\/(.*?)\/?)?(#(.*))?$/.exec(href) ?? [];
    if (!href.startsWith("/") && !href.startsWith("#")) return false;
    const target = ids.get(href.startsWith("#") ? from : path!);
    if (!target) return isElsewhere(path!);
    return anchor === undefined || target.has(decodeURIComponent(anchor));
  };
  return [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)]
      .map(([, href]) => href!)
      .filter((href) => !leads(path, href))
      .map((href) => `${path}: ${href}`),
  );
}
