import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

// The scenes are TypeScript, and simulations are recognized by their class, so everything comes from one bundle. The
// processes that the bench starts find it by its path.
const VARIABLE = "TICKWISE_NET_SOURCE";

async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-net-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "source.mjs");
  await build({
    stdin: {
      contents: `
        export { random } from "./src/math/index.js";
        export { conditioned } from "./src/net/conditioned.js";
        export { loopbackPair } from "./src/net/loopback.js";
        export { peerSession } from "./src/net/peer-session.js";
        export { simulatedNetwork } from "./src/net/simulated.js";
        export { virtualScheduler } from "./src/net/virtual-time.js";
        export { button, simulation } from "./src/sim/index.js";
        export { writersOf } from "./src/sim/inputs.js";
        export { Run } from "./src/sim/run.js";
        export { f64, i32, layout, list, u32 } from "./src/state/index.js";
        export { SCENES } from "./scenes/index.js";`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    outfile,
  });
  return outfile;
}

/** What the net bench needs of Tickwise, and the scenes. */
export const source = await import(pathToFileURL((process.env[VARIABLE] ??= await bundle())).href);
