import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "../scripts/setup.mjs";

/** Bundles a program from the source, without what it does not use. */
async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: ROOT };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
  return outputFiles[0]!.text;
}
const PROFILING = [".measure(", ".clearMeasures(", "long-animation-frame"];

test("a loop without the HUD has no code for spans and long frames", async () => {
  const loop = await bundle('import { Loop } from "./src/index.ts"; new Loop({ rate: 60 }).start();');
  for (const text of PROFILING) expect(loop).not.toContain(text);
  const hud = await bundle('export * from "./src/hud/index.ts";');
  for (const text of PROFILING) expect(hud).toContain(text);
});
