// Programs that tests start and that npm does not install: found on the machine, or installed from Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @typedef {object} Program
 * @property {string[][]} files Its files, the executable first. Of each list of alternatives, the first that exists is used.
 * @property {string[]} packages The Debian packages that install them.
 * @property {string[]} [folders] Folders to search in addition to the PATH.
 */

/** Returns the paths of a program's files, or undefined if one is missing. */
export function findProgram(/** @type {Program} */ { files, folders = [] }) {
  const all = [...(process.env.PATH ?? "").split(delimiter), ...folders];
  const pathOf = (/** @type {string} */ name) =>
    all.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const paths = files.map((names) => names.map(pathOf).find(Boolean));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** Installs missing programs, on Debian. Tests of programs that are still missing are skipped, and say so. */
export function setUpPrograms(/** @type {Program[]} */ programs) {
  const missing = programs.filter((program) => !findProgram(program));
  if (missing.length === 0) return;
  console.log(`Installing ${packagesOf(missing).join(", ")}`);
  // The package lists may be missing or outdated: update them and try again. Then install one by one, as an unknown
  // package makes the whole installation fail.
  if (!install(missing) && !(apt("update") && install(missing)))
    for (const program of missing) install([program]);
  const left = missing.filter((program) => !findProgram(program));
  if (left.length > 0)
    console.warn(
      `Some tests are skipped, as programs are missing. Install them with: ${installCommand(left)}`,
    );
}

/** Returns the command that installs programs. */
export function installCommand(/** @type {Program[]} */ programs) {
  return `sudo apt-get install --no-install-recommends ${packagesOf(programs).join(" ")}`;
}

const packagesOf = (/** @type {Program[]} */ programs) => programs.flatMap(({ packages }) => packages);

const install = (/** @type {Program[]} */ programs) =>
  apt("install", "--yes", "--no-install-recommends", ...packagesOf(programs));

function apt(/** @type {string[]} */ ...args) {
  const [command, ...rest] =
    process.getuid?.() === 0 ? ["apt-get"] : ["sudo", "--non-interactive", "apt-get"];
  const options = {
    stdio: /** @type {import("node:child_process").StdioOptions} */ (["ignore", "ignore", "inherit"]),
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  return spawnSync(command ?? "", [...rest, ...args], options).status === 0;
}
