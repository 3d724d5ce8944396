import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // relative links, so that the built page works in any folder of a site
  build: { chunkSizeWarningLimit: 1000 }, // kB
});
