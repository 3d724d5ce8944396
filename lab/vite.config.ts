import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so that the built page works in any folder of any host.
  base: "./",
  build: { outDir: "dist", emptyOutDir: true },
});
