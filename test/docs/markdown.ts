import { posix } from "node:path";

/** Returns a page without its code, which may contain lookalikes of links. */
const withoutCode = (markdown: string) => markdown.replace(/^```[^]*?^```$/gm, "");

/** Returns the anchors of a page's headings, as GitHub generates them. */
export const anchorsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Returns the links of a page within the repository. `page` is its path from the root; so are the paths of the links. */
export const linksOf = (page: string, markdown: string) =>
  [...withoutCode(markdown).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(
    ([link, path, anchor]) => ({
      link: link.slice(1),
      path: path === "" ? page : posix.join(posix.dirname(page), path!),
      anchor,
    }),
  );
