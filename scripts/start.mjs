// Serves the site or the examples, after installing and building what they need.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
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

const folder = process.argv[2];
setUp();
if (!isBuilt()) build();
// Imported only now, as setUp may have to install it. In this process, so that the server ends with it.
const { createServer } = await import("vite");
const server = await createServer({ configFile: `${folder}/vite.config.ts` });
await server.listen();
console.log(`\nServing the ${folder}. Press Ctrl-C to stop.`);
server.printUrls();
