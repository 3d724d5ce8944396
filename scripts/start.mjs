// Serves the site or the examples, after installing and building what they need. `npm start -- --port 8080` chooses the
// port, and `--host` serves other machines of the network, too.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { ROOT, setUp } from "./setup.mjs";

/** Whether dist was built after the last change of a source. */
function isBuilt() {
  const timeOf = (/** @type {string} */ path) =>
    statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).map((path) =>
    join("src", path),
  );
  const changed = Math.max(
    ...["package.json", "tsconfig.json", "tsconfig.node.json", ...sources].map(timeOf),
  );
  return timeOf("dist/cli/main.js") > changed;
}

/**
 * Returns the folder to serve, and the options of the server.
 *
 * @returns {[folder: string, server: import("vite").ServerOptions]}
 */
function readArguments() {
  const options = /** @type {const} */ ({ port: { type: "string" }, host: { type: "boolean" } });
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder = "site", extra] = positionals;
  if (extra !== undefined) throw new Error(`Unexpected argument "${extra}".`);
  const { port, host = false } = values;
  if (port === undefined) return [folder, { host }];
  if (!/^\d+$/.test(port) || Number(port) > 65535)
    throw new Error(`--port must be a whole number from 0 to 65535, got "${port}".`);
  // A port that was asked for must be free. Otherwise Vite takes the next one.
  return [folder, { host, port: Number(port), strictPort: true }];
}

/**
 * Ends the process with one line instead of a stack.
 *
 * @param {unknown} error
 * @returns {never}
 */
function fail(error) {
  const [line] = String(error instanceof Error ? error.message : error).split(". ");
  console.error(`${line?.replace(/\.$/, "")}. Try npm start -- --port 8080.`);
  process.exit(2);
}

/** @type {ReturnType<typeof readArguments>} */
let args;
try {
  args = readArguments();
} catch (error) {
  fail(error);
}
const [folder, options] = args;
setUp();
if (!isBuilt()) build();
// Imported only now, as setUp may have to install it. In this process, so that the server ends with it.
const { createServer } = await import("vite");
const server = await createServer({ configFile: `${folder}/vite.config.ts`, server: options });
await server.listen().catch(fail);
console.log(`\nServing the ${folder}. Press Ctrl-C to stop.`);
server.printUrls();
