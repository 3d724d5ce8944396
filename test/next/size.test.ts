import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** Returns the bytes of a program that imports the new loop: bundled, minified, gzipped. */
async function sizeOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: program,
      resolveDir: fileURLToPath(new URL("../../src/loop/next", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

const NEW_LOOP = "const loop = new Loop({ rate: 60, step() {}, render() {} });";

// The budgets are 4,096 and 9,216 bytes, once the old loop is gone. Until then, nothing may grow.
test("a loop contains only what its program imports", async () => {
  const raw = await sizeOf(`import { Loop } from "./index.js"; ${NEW_LOOP} loop.advance(1 / 60);`);
  const page = await sizeOf(`import { display, Loop } from "./index.js"; ${NEW_LOOP} loop.start(display());`);
  expect(raw).toBeLessThan(4600);
  expect(page).toBeLessThan(10_100);
});
