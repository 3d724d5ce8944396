import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { ISOLATION } from "../scripts/isolation.js";
import { onlyPackage } from "../scripts/only-package.js";
import { parsedDocs } from "./pages/docs.js";
import { docsFiles } from "./pages/docs/files.js";
import { siteFiles } from "./pages/files.js";
import { allPages } from "./pages/index.js";
import { notFoundPage, serveNotFound } from "./pages/not-found.js";
import { partPaths, siteParts } from "./pages/parts.js";
import { sitePages } from "./pages/plugin.js";
import { indexedPaths, sitemap } from "./pages/sitemap.js";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/[/\\]$/, "");
const docs = parsedDocs();
const pages = allPages(docs);

export default defineConfig({
  root,
  // Relative, so that the site works in any folder.
  base: "./",
  appType: "mpa",
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  worker: { format: "es", plugins: () => [onlyPackage()] },
  plugins: [
    onlyPackage(),
    siteParts(join(root, "..")),
    sitePages(root, pages),
    serveNotFound,
    siteFiles([...docsFiles(docs), notFoundPage, sitemap(indexedPaths(pages, partPaths(join(root, ".."))))]),
  ],
  build: { outDir: "dist", emptyOutDir: true, license: { fileName: "licenses.md" } },
});
