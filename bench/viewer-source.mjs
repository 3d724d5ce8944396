import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The sessions and the scene are TypeScript, and simulations are recognized by their class, so everything comes from one bundle. */
async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-viewer-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "source.mjs");
  await build({
    stdin: {
      contents: `
        export * from "./scenes/carousel.js";
        export { simulatedNetwork } from "./src/net/simulated.js";`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    outfile,
  });
  return outfile;
}

/** What the viewer bench needs of Tickwise, and the scene. */
export const source = await import(pathToFileURL(await bundle()).href);
