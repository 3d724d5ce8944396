// `npm run soak`: runs for hours what test/soak runs for seconds. `npm run soak -- 100000 seed 5 1 0.1` sets the
// ticks, the seed, the minutes of netplay, the hours of rooms and the rounds of games with upheavals.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, run, setUp } from "./setup.mjs";

setUp();
const { build } = await import("esbuild");
const folder = mkdtempSync(join(tmpdir(), "tickwise-soak-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const outfile = join(folder, "soak.mjs");
await build({
  entryPoints: [join(ROOT, "test/soak/main.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
});
run(process.execPath, outfile, ...process.argv.slice(2));
