import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, run, setUp } from "./setup.mjs";

/** Compiles src to a clean dist, so that no file outlives its source. */
export function build() {
  rmSync(join(ROOT, "dist"), { recursive: true, force: true });
  run("tsc");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  setUp();
  build();
  // The lab's static files, in lab/dist.
  if (process.argv.includes("--lab")) run("vite", "build", "lab");
}
