import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, run, setUp } from "./setup.mjs";

/** Compiles src to a clean dist, so that no file outlives its source. */
export function build() {
  rmSync(join(ROOT, "dist"), { recursive: true, force: true });
  run("tsc");
  // The command line: a file for the program, one for the process that runs simulations, and one for its threads. They use the library's own files, so that the
  // simulations of users, which import these, are of the same classes; anything else would be bundled.
  const cli = ["main", "host", "worker"].map((name) => `src/cli/${name}.ts`);
  const form = ["--format=esm", "--platform=node", "--target=node20", "--outdir=dist/cli"];
  run(
    "esbuild",
    ...cli,
    "--bundle",
    ...form,
    "--external:../*/index.js",
    "--external:../replay/cut.js",
    "--log-level=warning",
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  setUp();
  build();
  // The lab's static files, in lab/dist.
  if (process.argv.includes("--lab")) run("vite", "build", "lab");
}
