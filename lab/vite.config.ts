import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { ISOLATION } from "../scripts/isolation.js";
import { onlyPackage } from "../scripts/only-package.js";
import { siteHeader } from "../site/pages/header.js";
import { relativeLinks } from "../site/pages/relative-links.js";
import { socialTags } from "../site/pages/social-tags.js";

const ICON = readFileSync(new URL("../site/public/icon.svg", import.meta.url), "utf8");

/** Puts the site's header and icon into the page, so that they work in any folder. */
const header: Plugin = {
  name: "tickwise-site-header",
  transformIndexHtml: (html) =>
    html
      .replace("<!-- header of the site -->", relativeLinks(siteHeader("lab"), "lab"))
      .replace(
        "<!-- icon of the site -->",
        `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}" />`,
      ),
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so the built page works in any folder.
  base: "./",
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  // Modules, so that workers may await and share chunks.
  worker: { format: "es", plugins: () => [onlyPackage()] },
  plugins: [onlyPackage(), header, socialTags("lab")],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    // For three.js, which only its own experiment loads.
    chunkSizeWarningLimit: 800,
  },
});
