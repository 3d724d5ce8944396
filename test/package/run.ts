import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/setup.mjs";

/** Runs a program and returns its output. If it fails, the error contains the output. */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
      shell: process.platform === "win32",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Packs the package into a folder, and installs it there, as a user would. No network. */
export function installPackage(folder: string): { readonly tarball: string; readonly packed: string[] } {
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [report] = JSON.parse(run("npm", pack, ROOT)) as [{ filename: string; files: { path: string }[] }];
  const tarball = join(folder, report.filename);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], folder);
  return { tarball, packed: report.files.map((file) => file.path) };
}
