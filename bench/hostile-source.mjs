import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

// The game is TypeScript, and simulations are recognized by their class, so everything comes from one bundle.
const folder = mkdtempSync(join(tmpdir(), "tickwise-hostile-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const outfile = join(folder, "source.mjs");
await build({
  stdin: {
    contents: `
      export { random } from "./src/math/index.js";
      export { clientSession } from "./src/net/authority/client-session.js";
      export { serverSession } from "./src/net/authority/server-session.js";
      export { brawlFor } from "./test/net/brawl.js";`,
    resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  outfile,
});

/** What the bench of hostile clients needs of Tickwise, and its game. */
export const source = await import(pathToFileURL(outfile).href);
