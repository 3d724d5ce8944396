import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative, so that the built page works in any folder of any host.
  base: "./",
  // With the licences of what it is made of.
  build: { outDir: "dist", emptyOutDir: true, license: { fileName: "licenses.md" } },
});
