import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { build } from "esbuild";

/** The codec and the scene are TypeScript, so they are bundled first. */
async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-snapshots-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "source.mjs");
  await build({
    stdin: {
      contents: `
        export * from "./scenes/cubes-recording.js";
        export { CubesLayout } from "./scenes/cubes.js";
        export { random } from "./src/math/index.js";
        export { snapshotCodec } from "./src/net/snapshot/snapshot-codec.js";
        export { LIVE } from "./src/state/index.js";`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    outfile,
  });
  return outfile;
}

/** What the snapshots bench needs of Tickwise, and of the scene. */
export const source = await import(pathToFileURL(await bundle()).href);

/** Reads the recording of the cubes. */
export function loadCubes() {
  const file = new URL("../scenes/cubes.recording.br", import.meta.url);
  return source.readRecording(brotliDecompressSync(readFileSync(file)));
}
