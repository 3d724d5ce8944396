import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, run, setUp } from "./setup.mjs";

/** Compiles src to a clean dist, so that no file of a deleted source remains. Until it is complete, the old one stays. */
export function build() {
  const folder = `dist-${process.pid}`;
  try {
    compile(folder);
    rmSync(join(ROOT, "dist"), { recursive: true, force: true });
    renameSync(join(ROOT, folder), join(ROOT, "dist"));
  } finally {
    rmSync(join(ROOT, folder), { recursive: true, force: true });
  }
}

/** @param {string} folder */
function compile(folder) {
  run("tsc", "--outDir", folder);
  run("tsc", "--project", "tsconfig.node.json", "--outDir", folder);
  // The command line: one file for the program, one for each process that runs simulations, and one for their threads. The
  // library's own files stay external, so that they share its classes with the simulations that users import.
  const cli = ["main", "host", "job-host", "serve-worker", "worker"].map((name) => `src/cli/${name}.ts`);
  const form = ["--format=esm", "--platform=node", "--target=node20", `--outdir=${folder}/cli`];
  run(
    "esbuild",
    ...cli,
    "--bundle",
    ...form,
    "--external:../*/index.js",
    "--external:../replay/cut.js",
    "--external:../server/workers/*.js",
    "--external:../sim/random-commands.js",
    "--external:../sim/run.js",
    "--log-level=warning",
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  setUp();
  build();
  // The site's static files, in site/dist, with the lab and the examples.
  if (process.argv.includes("--site")) {
    run("vite", "build", "site");
    for (const part of ["lab", "examples"])
      run("vite", "build", part, "--outDir", join(ROOT, "site/dist", part), "--logLevel", "warn");
  }
}
