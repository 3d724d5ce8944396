import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so that the built page works in any folder of any host.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // With the licences of what it is made of.
    license: { fileName: "licenses.md" },
    // three.js, which is loaded only with its own experiment.
    chunkSizeWarningLimit: 800,
  },
});
