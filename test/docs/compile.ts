import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../scripts/setup.mjs";

const run = promisify(execFile);

const CONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    moduleDetection: "force",
    rootDir: ".",
    outDir: "out",
  },
  include: ["*.ts"],
};

/** Writes TypeScript files into a folder of the repository, so that "tickwise" resolves to the built package. Returns a compiler of them. */
export function compilerOf(name: string, files: ReadonlyMap<string, string>) {
  const folder = join(ROOT, ".cache", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
  for (const [file, code] of files) writeFileSync(join(folder, file), code);
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  return {
    /** Returns where the compiled file is. */
    outputOf: (file: string) => join(folder, "out", file.replace(/\.ts$/, ".js")),
    /** Returns the errors of the compiler; none is "". */
    compile: (...options: readonly string[]) =>
      run(tsc, ["--project", "tsconfig.json", "--pretty", "false", ...options], {
        cwd: folder,
        shell: process.platform === "win32",
      }).then(
        () => "",
        (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
      ),
  };
}
