// `npm run cubes`: simulates the cubes and writes the recording again. Only needed after a change of the scene or of Rapier.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "./setup.mjs";

const bundle = join(ROOT, ".cache/cubes.mjs");
await build({
  stdin: {
    contents: `
      export { FRAMES, writeRecording } from "./scenes/cubes-recording.js";
      export { cubesFrames } from "./test/scenes/record-cubes.js";`,
    resolveDir: ROOT,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: bundle,
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
const { cubesFrames, FRAMES, writeRecording } = await import(pathToFileURL(bundle).href);

const frames = [];
for await (const frame of cubesFrames(FRAMES)) frames.push(frame);
const bytes = brotliCompressSync(writeRecording(frames), {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
});
const file = join(ROOT, "scenes/cubes.recording.br");
writeFileSync(file, bytes);
console.log(`Wrote ${file}: ${bytes.length} bytes`);
