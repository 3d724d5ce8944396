import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { ISOLATION } from "../scripts/isolation.js";
import { onlyPackage } from "../scripts/only-package.js";
import { partHeader } from "../site/pages/part-header.js";
import { socialTags } from "../site/pages/social-tags.js";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so the built page works in any folder.
  base: "./",
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  // Modules, so that workers may await and share chunks.
  worker: { format: "es", plugins: () => [onlyPackage()] },
  plugins: [onlyPackage(), partHeader("lab"), socialTags("lab")],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    // For three.js, which only its own experiment loads.
    chunkSizeWarningLimit: 800,
  },
});
