import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { ISOLATION } from "../scripts/isolation.js";
import { partHeader } from "../site/pages/part-header.js";
import { socialTags } from "../site/pages/social-tags.js";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const PAGES = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((path) =>
  /^(\w+\/)?index\.html$/.test(path),
);

/** Serves main.ts, or main.tsx, unchanged as text, so that each page can link to its source. */
const sources: Plugin = {
  name: "sources",
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const [, path] = /\/(\w+\/main\.tsx?)\.txt$/.exec(request.url ?? "") ?? [];
      if (!path) return next();
      response.setHeader("Content-Type", "text/plain; charset=utf-8").end(readFileSync(ROOT + path));
    });
  },
  generateBundle() {
    for (const page of PAGES.filter((path) => path !== "index.html")) {
      const folder = page.replace("index.html", "");
      const path = folder + readdirSync(ROOT + folder).find((name) => /^main\.tsx?$/.test(name))!;
      this.emitFile({ type: "asset", fileName: `${path}.txt`, source: readFileSync(ROOT + path) });
    }
  },
};

export default defineConfig({
  root: ROOT,
  base: "./",
  plugins: [sources, partHeader("examples"), socialTags("examples")],
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  // Modules, so that workers may await and share chunks.
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    rolldownOptions: { input: PAGES.map((path) => ROOT + path) },
    // Game engines are large.
    chunkSizeWarningLimit: 5000,
  },
});
