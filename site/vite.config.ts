import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { ISOLATION } from "../scripts/isolation.js";
import { allPages } from "./pages/index.js";
import { sitePages } from "./pages/plugin.js";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/[/\\]$/, "");

export default defineConfig({
  root,
  // Relative, so that the site works in any folder.
  base: "./",
  appType: "mpa",
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  worker: { format: "es" },
  plugins: [sitePages(root, allPages())],
  build: { outDir: "dist", emptyOutDir: true, license: { fileName: "licenses.md" } },
});
