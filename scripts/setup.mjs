import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Installs the packages of the lock file, unless they are installed already. A fresh clone needs only Node. */
export function setUp() {
  if (isInstalled()) return;
  console.log("Installing the development tools");
  run("npm", "ci");
}

/** Runs a tool of node_modules, npm or node in the root. Exits this process if it fails. */
export function run(/** @type {string} */ tool, /** @type {string[]} */ ...args) {
  const local = join(ROOT, "node_modules", ".bin", tool);
  const command = existsSync(local) ? local : tool;
  // On Windows, tools are .cmd files, which only a shell can start. The shell splits at spaces, so paths are quoted.
  const shell = process.platform === "win32";
  const quoted = (/** @type {string} */ text) => (shell && text.includes(" ") ? `"${text}"` : text);
  const { status, signal, error } = spawnSync(quoted(command), args.map(quoted), {
    cwd: ROOT,
    stdio: "inherit",
    shell,
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(`\nFailed${signal ? ` (${signal})` : ""}: ${[tool, ...args].join(" ")}`);
    process.exit(status ?? 1);
  }
}

/** Whether npm's record of installed packages agrees with the lock file. */
function isInstalled() {
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(packagesOf("package-lock.json")).every(([path, wanted]) => {
    const found = installed[path];
    // The root is not recorded, and optional packages may be for another platform.
    if (!found) return path === "" || wanted.link || wanted.optional || wanted.devOptional;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** @returns {Record<string, Record<string, unknown>>} */
function packagesOf(/** @type {string} */ lockFile) {
  const path = join(ROOT, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}
