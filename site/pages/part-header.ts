import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { siteHeader } from "./header.js";
import { relativeLinks } from "./relative-links.js";
import { pathInSite } from "./social-tags.js";

const ICON = readFileSync(new URL("../public/icon.svg", import.meta.url), "utf8");

/** Puts the site's header and icon into the pages of another workspace, so that they work in any folder. */
export const partHeader = (part: string): Plugin => ({
  name: "tickwise-site-header",
  transformIndexHtml: (html, { path, server }) => {
    // Served alone, the workspace has no site around it.
    const isAlone = server !== undefined && server.config.base !== `/${part}/`;
    return html
      .replace(
        "<!-- header of the site -->",
        isAlone ? "" : relativeLinks(siteHeader(part), pathInSite(part, path)),
      )
      .replace(
        "<!-- icon of the site -->",
        `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}" />`,
      );
  },
});
