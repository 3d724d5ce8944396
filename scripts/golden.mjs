// `npm run golden`: writes golden replays that do not exist yet, with their expected results. Existing ones are never
// rewritten, as every later version must still read them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./setup.mjs";

const FOLDER = join(ROOT, "test/golden");
const bundle = join(ROOT, ".cache/golden.mjs");
await build({
  stdin: {
    contents: 'export * from "./test/replay/golden.js"; export { readReplay } from "./src/replay/index.js";',
    resolveDir: ROOT,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: bundle,
});
const { MAKERS, hashOf, summaryOf, readReplay } = await import(pathToFileURL(bundle).href);

mkdirSync(FOLDER, { recursive: true });
for (const [name, make] of Object.entries(MAKERS)) {
  const file = join(FOLDER, `${name}.twr`);
  if (existsSync(file)) continue;
  writeFileSync(file, await make());
  const replay = readReplay(new Uint8Array(readFileSync(file)));
  const json = { read: summaryOf(replay), hash: hashOf(replay) };
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(json)}\n`);
  console.log(`Wrote ${file}`);
}
