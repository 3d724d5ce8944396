// `npm run soak`: minutes of what test/soak does in a second. `npm run soak -- 100000 seed` for fewer ticks, or others.
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
