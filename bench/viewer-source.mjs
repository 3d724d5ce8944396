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
        export { CubesLayout } from "./scenes/cubes.js";
        export { readRecording, writeFrame } from "./scenes/cubes-recording.js";
        export { random } from "./src/math/index.js";
        export { Connection } from "./src/net/authority/connection.js";
        export { InputHead } from "./src/net/authority/input-packet.js";
        export { JOIN, joinOf, STATE_PART } from "./src/net/authority/messages.js";
        export { serverSession } from "./src/net/authority/server-session.js";
        export { ServerHead } from "./src/net/authority/tick-packet.js";
        export { BitReader, BitWriter } from "./src/net/bits.js";
        export { jsonMessage, SNAPSHOT } from "./src/net/messages.js";
        export { simulatedNetwork } from "./src/net/simulated.js";
        export { simulation } from "./src/sim/index.js";`,
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
