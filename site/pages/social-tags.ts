import type { Plugin } from "vite";
import { relativeLinks } from "./relative-links.js";

/** Adds what other sites show of a page that has its own HTML: its title, its description and the picture of the site. `path` is its folder. */
export function withSocialTags(html: string, path: string): string {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1];
  const description = /<meta\s+name="description"\s+content="([^"]*)"/.exec(html)?.[1];
  if (title === undefined || description === undefined)
    throw new Error(`${path}/index.html: a page needs a title and a description.`);
  const tags = `  <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:type" content="article" />
    <meta property="og:image" content="/social/start.png" />
  </head>`;
  return html.replace("</head>", () => relativeLinks(tags, path));
}

/** Returns the folder of a page in the site. `path` is the one that Vite knows: its workspace is in the folder `part`, or at the root. */
export const pathInSite = (part: string, path: string): string =>
  [
    part,
    ...path
      .split("/")
      .slice(1, -1)
      .filter((name) => name !== part),
  ].join("/");

/** Adds these tags to the pages of another workspace, which are in the folder `part` of the site. */
export const socialTags = (part: string): Plugin => ({
  name: "tickwise-social-tags",
  transformIndexHtml: (html, { path }) => withSocialTags(html, pathInSite(part, path)),
});
