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
  const loop = await bundle(
    'import { display, Loop } from "./src/index.ts"; new Loop({ rate: 60 }).start(display());',
  );
  for (const text of PROFILING) expect(loop).not.toContain(text);
  const hud = await bundle('export * from "./src/hud/index.ts";');
  for (const text of PROFILING) expect(hud).toContain(text);
});

test("the HUD has no code of drivers, and of parts that it only asks for figures", async () => {
  const hud = await bundle('export * from "./src/hud/index.ts";');
  const others = await bundle(
    'import { catchUp, display, timeScale } from "./src/index.ts"; export { catchUp, display, timeScale };',
  );
  for (const text of ["requestAnimationFrame(", "visibilitychange", "hitStop(", "catchUp: seconds"]) {
    expect(hud).not.toContain(text);
    expect(others).toContain(text);
  }
});
