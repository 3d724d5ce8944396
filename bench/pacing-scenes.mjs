// Loads the scenes of the pacing bench. They are TypeScript, and shared with the tests and the lab.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const { outputFiles } = await build({
  stdin: {
    contents: `export * from "./pacing.js";
      export * from "./score.js";
      export * from "./changing-displays.js";
      export * from "./free-displays.js";
      export * from "./judder.js";
      export { displayFrames } from "./display.js";`,
    resolveDir: fileURLToPath(new URL("../scenes", import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
export const scenes = await import(`data:text/javascript;base64,${code}`);

/** Rounds to three digits after the point, as per cent; and to two. */
export const percent = (part) => Math.round(part * 1e5) / 1e3;
export const round = (value) => Math.round(value * 100) / 100;
