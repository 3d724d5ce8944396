import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so the built page works in any folder.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    // For three.js, which only its own experiment loads.
    chunkSizeWarningLimit: 800,
  },
});
