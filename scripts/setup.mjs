import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Installs what the lock file names, unless it is installed already. A fresh clone needs only Node. */
export function setUp() {
  if (isInstalled()) return;
  console.log("Installing the development tools");
  run("npm", "ci");
}

/** Runs a tool of node_modules, or npm or node, in the root; ends this process if it fails. */
export function run(/** @type {string} */ tool, /** @type {string[]} */ ...args) {
  const local = join(ROOT, "node_modules", ".bin", tool);
  const command = existsSync(local) ? local : tool;
  // Tools are .cmd files on Windows, which only a shell can start. It splits at spaces, which paths may have.
  const shell = process.platform === "win32";
  const quoted = (/** @type {string} */ text) => (shell && text.includes(" ") ? `"${text}"` : text);
  const { status, signal, error } = spawnSync(quoted(command), args.map(quoted), {
    cwd: ROOT,
    stdio: "inherit",
    shell,
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(`\nFailed${signal ? ` by ${signal}` : ""}: ${[tool, ...args].join(" ")}`);
    process.exit(status ?? 1);
  }
}

/** Whether npm's own record of what it installed agrees with the lock file. */
function isInstalled() {
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(packagesOf("package-lock.json")).every(([path, wanted]) => {
    const found = installed[path];
    // The root is not recorded; what is optional may be for another platform.
    if (!found) return path === "" || wanted.link || wanted.optional || wanted.devOptional;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** @returns {Record<string, Record<string, unknown>>} */
function packagesOf(/** @type {string} */ lockFile) {
  const path = join(ROOT, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}
