// Programs that tests start and npm does not bring: found where they are, or installed from Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @typedef {object} Program
 * @property {string[][]} files what it consists of, what starts it first: the first there is of each list
 * @property {string[]} packages what brings them
 * @property {string[]} [folders] where to look besides the PATH
 */

/** The paths of a program's files, or nothing if one is missing. */
export function findProgram(/** @type {Program} */ { files, folders = [] }) {
  const all = [...(process.env.PATH ?? "").split(delimiter), ...folders];
  const pathOf = (/** @type {string} */ name) =>
    all.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const paths = files.map((names) => names.map(pathOf).find(Boolean));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** Installs those that are missing, where that can be done. The tests say which they went without. */
export function setUpPrograms(/** @type {Program[]} */ programs) {
  const missing = programs.filter((program) => !findProgram(program));
  if (missing.length === 0) return;
  console.log(`Installing ${packagesOf(missing).join(", ")}`);
  // The lists of packages may be old, or none: then they are fetched first. One that is unknown takes no other along.
  if (!install(missing) && !(apt("update") && install(missing)))
    for (const program of missing) install([program]);
  const left = missing.filter((program) => !findProgram(program));
  if (left.length > 0)
    console.warn(`Tests are left out for want of programs. To have them run: ${installCommand(left)}`);
}

/** What to type, where it could not be done. */
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
